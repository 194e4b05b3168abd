import { beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import { launchBrowser } from '../support/http/browser.ts';
import { widths } from '../support/http/page-looks.ts';
import { eventually } from '../support/run/eventually.ts';
import {
  deliveryOf,
  isEvent404,
  openLive,
  orderOf,
  startLivePage,
  tokenOf,
  tradeOf,
} from '../support/sandbox/live-page-stage.ts';

/** The start installs Chromium when it is missing. */
const START_TIMEOUT_MS = 300_000;
const ORDER_ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
}, START_TIMEOUT_MS);

const rowOf = (page: Page, text: string) => page.locator('#deliveries > li').filter({ hasText: text });

test('an order is placed once by the form, goes through its states by the stream, and can be cancelled until it is sent', async () => {
  const stage = startLivePage();
  const { page, complaints } = await openLive(browser, stage);
  const [mint = ''] = stage.mints;
  const bodies: { body: object; key: string | undefined }[] = [];
  const open = orderOf(ORDER_ID, mint, { version: 2 });
  await page.route('**/wallet/orders', async (route) => {
    const request = route.request();
    bodies.push({ body: request.postDataJSON(), key: request.headers()['idempotency-key'] });
    const isFirst = bodies.length === 1;
    await route.fulfill(
      isFirst ? { status: 409, json: { detail: 'The wallet is poor.' } } : { status: 201, json: open },
    );
  });
  await page.route(`**/wallet/orders/${ORDER_ID}`, (route) =>
    route.fulfill({ status: 409, json: { detail: 'It was sent.' } }),
  );
  await page.locator('#order-side').selectOption('sell');
  await page.locator('#order-amount').fill('12.5');
  await page.getByRole('button', { name: '+1 %' }).click();
  await page.locator('#order-go').click();
  await page.locator('#order-outcome').filter({ hasText: 'The wallet is poor.' }).waitFor();
  await page.locator('#order-go').click();
  await page.locator('#order-list > li').first().waitFor();
  await page.locator('#order-price').fill('00.500');
  await page.locator('#order-go').click();
  const row = page.locator('#order-list > li');
  await row.filter({ hasText: 'Cancel' }).waitFor();
  await eventually('the third order', async () => bodies.length === 3);
  expect(bodies.map(({ body }) => body)).toEqual([
    expect.objectContaining({
      mint,
      side: 'sell',
      amountRaw: '12500000',
      trigger: { price: '0.000000047056', when: 'at_or_above' },
      slippageBps: 500,
    }),
    expect.objectContaining({ amountRaw: '12500000' }),
    expect.objectContaining({ trigger: { price: '0.5', when: 'at_or_above' } }),
  ]);
  expect(bodies[0]?.key).toBe(bodies[1]?.key ?? '');
  expect(bodies[2]?.key).not.toBe(bodies[1]?.key ?? '');

  await row.getByRole('button', { name: 'Cancel' }).click();
  await row.locator('output').filter({ hasText: 'It was sent.' }).waitFor();
  const landed = documentedEvents['order.landed'].example;
  stage.tell('order', { ...landed, id: ORDER_ID, mintAddress: mint, version: 4 });
  await page.locator('#order-list > li[data-status=landed]').waitFor();
  expect(await row.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  // What comes late and is older changes nothing.
  stage.tell('order', { ...open, version: 3 });
  stage.tell('order', { ...landed, id: 'other', mintAddress: mint, version: 4 });
  await row.nth(1).waitFor();
  expect(await page.locator('#order-list > li[data-status=landed]').count()).toBe(2);
  // An end of which this page has never heard.
  const ended = { status: 'voided', reason: 'some_new_end', completedAt: new Date().toISOString() };
  stage.tell('order', orderOf('ended', mint, { version: 2, ...ended }));
  const gone = page.locator('#order-list > li[data-status=voided]');
  await gone.filter({ hasText: 'some new end' }).waitFor();
  expect(await gone.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  expect(complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
  await page.close();
});

test('rows, figures and chart are shown before the prices of other markets have come', async () => {
  const stage = startLivePage();
  const [oldest = '', ...others] = stage.mints;
  for (const mint of others) stage.silentMarkets.add(mint);
  const { page } = await openLive(browser, stage);
  await page.locator('#trades tr').first().waitFor();
  await page.locator('#chart[data-bars="3"] canvas').first().waitFor();
  expect(await page.locator('#token-list [aria-current] strong').textContent()).toBe(tokenOf(oldest).symbol);
  expect(await page.locator('#token-list button').count()).toBe(3);
  await page.close();
});

test('list, figures and chart show one price, before and after a trade', async () => {
  const stage = startLivePage();
  const { page } = await openLive(browser, stage);
  const [mint = ''] = stage.mints;
  for (const [decimal, shown] of [
    ['0.00000004659', '0.0₇4659'],
    ['0.00000005184', '0.0₇5184'],
  ] as const) {
    stage.tell('token', tokenOf(mint, decimal));
    await page.locator('#figures dd').first().filter({ hasText: shown }).waitFor();
    expect(await page.locator('#chart').getAttribute('aria-label')).toEndWith(`price ${shown} SOL`);
    await page.locator('#token-list [aria-current] .price').filter({ hasText: shown }).waitFor();
  }
  await page.close();
});

test('the bars of a young market fill the width of the chart', async () => {
  const stage = startLivePage();
  const { page } = await openLive(browser, stage);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await eventually('bars in each third of the chart', async () => {
      const points = await page.evaluate<number[]>(barPoints);
      return points.every((third) => third > 100);
    });
  }
  await page.close();
});

test('the chart of a market with one bar becomes narrower without an error', async () => {
  const stage = startLivePage();
  stage.bars = 1;
  const { page, complaints } = await openLive(browser, stage);
  await page.locator('#chart[data-bars="1"] canvas').first().waitFor();
  for (const width of [1920, 1000, 390]) {
    await page.setViewportSize({ width, height: 900 });
    // The size is observed in one frame and painted in the next.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
  expect(complaints.filter((complaint) => !isEvent404(complaint))).toEqual([]);
  await page.close();
});

test('a flood of trades is one row with their number and sum, which is unfolded and folded', async () => {
  const stage = startLivePage();
  const { page } = await openLive(browser, stage);
  const [mint = ''] = stage.mints;
  const rows = page.locator('#trades tr').filter({ visible: true });
  await rows.first().waitFor();
  for (let at = 0; at < 12; at += 1)
    stage.tell('trade', tradeOf(`flood-${at}`, mint, '2026-01-01T00:00:01Z'));
  for (let at = 0; at < 4; at += 1)
    stage.tell('trade', tradeOf(`few-${at}`, mint, '2026-01-01T00:00:02Z', 'sell'));
  const flood = rows.filter({ hasText: '×12' });
  await flood.waitFor();
  expect(await flood.locator('.number').first().textContent()).toBe('6');
  expect(await spacingOf(flood)).toEqual({ isCut: false, areColumnsApart: true });
  // The rows are the opened trade, the folded flood, and four trades, which are too few to fold.
  await rows.nth(5).waitFor();
  expect(await rows.count()).toBe(6);
  await flood.getByRole('button').click();
  expect(await rows.count()).toBe(17);
  await rows.getByRole('button', { name: '×12' }).click();
  expect(await rows.count()).toBe(6);
  await page.close();
});

/** Whether a row with long figures needs scrolling, and whether its texts are at least 8 px apart. */
const spacingOf = (row: ReturnType<Page['locator']>) =>
  row.evaluate((element) => {
    const texts = [...element.querySelectorAll('td')]
      .map((cell, at) => {
        const long = { 1: 'LANTERN', 3: '0.003465', 4: '0.0₇4401' }[at];
        if (long !== undefined) cell.textContent = long;
        return cell;
      })
      .map((cell) => {
        const range = element.ownerDocument.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect();
      });
    const scroller = element.closest('.scroll');
    return {
      isCut: scroller === null || scroller.scrollWidth > scroller.clientWidth,
      areColumnsApart: texts.every(({ left }, at) => left - (texts[at - 1]?.right ?? -8) >= 8),
    };
  });

test('a flood of webhooks is one row, and each is found by the search', async () => {
  const stage = startLivePage();
  const { page } = await openLive(browser, stage);
  for (let at = 0; at < 30; at += 1)
    await stage.deliver(`flood-${at}`, 'build.service.launch.created.v1', `mint-${at}`);
  await stage.deliver('other', 'build.service.launch.failed.v1', 'mint-other');
  await page.locator('#mine').uncheck();
  await page.locator('#count').filter({ hasText: '31 events' }).waitFor();
  const rows = page.locator('#deliveries > li').filter({ visible: true });
  // A folding interval may end between the trades. They then form two floods, or one flood and a few rows.
  await expectFolded(rows, 31);
  await page.locator('#deliveries .fold').first().press('Enter');
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Fold \d+ more like it$/);
  await page.locator('#search').fill('mint-');
  await page.getByRole('button', { name: 'Show all 31' }).click();
  expect(await rows.count()).toBe(31);
  await page.close();
});

test('webhooks are those of the account and its wallet, until all are asked for; those of others are folded by the minute', async () => {
  const stage = startLivePage();
  const { page } = await openLive(browser, stage);
  for (let at = 0; at < 3; at += 1)
    await stage.deliver(`fee-${at}`, 'build.service.fee_distribution.completed.v1', `mint-${at}`);
  await stage.deliver('won', 'build.service.fee_distribution.completed.v1', 'mint-of-mine', {
    recipientWallet: stage.wallet,
  });
  await stage.deliver('swap', 'build.service.transaction_intent.confirmed.v1', 'intent-of-mine');
  await fetch(`${stage.url}/webhooks`, { method: 'POST', headers: { 'webhook-id': 'forged' }, body: '{}' });
  await page.locator('#count').filter({ hasText: '3 events, 3 of others' }).waitFor();
  const rows = page.locator('#deliveries > li').filter({ visible: true });
  expect(await rows.locator('.subject').allTextContents()).toEqual([
    'forged',
    'intent-of-mine',
    'mint-of-mine',
  ]);
  // Only what is not as it should be has a mark.
  expect(await rows.locator('.verdict').allTextContents()).toEqual(['✗ refused']);
  expect(await rows.locator('.attempt').count()).toBe(1);
  await page.locator('#type').selectOption('build.service.fee_distribution.completed.v1');
  await page.locator('#count').filter({ hasText: '4 events' }).waitFor();
  await page.locator('#type').selectOption('');
  await page.locator('#mine').uncheck();
  await page.locator('#count').filter({ hasText: '6 events' }).waitFor();
  // A minute may end between the three.
  expect(await rows.count()).toBeLessThanOrEqual(5);
  await page.close();
});

test('the bar of a token shows its way to graduation in both themes', async () => {
  const stage = startLivePage();
  const { page } = await openLive(browser, stage);
  const bar = page.locator('#token-list progress').first();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { data, width, height } = PNG.sync.read(await bar.screenshot());
    const at = (share: number) => {
      const first = (Math.floor(height / 2) * width + Math.floor(width * share)) * 4;
      return [...data.subarray(first, first + 3)].map(Number);
    };
    const [done, open] = [at(0.25), at(0.75)];
    const apart = done.reduce((sum, value, channel) => sum + Math.abs(value - (open[channel] ?? 0)), 0);
    expect(apart, colorScheme).toBeGreaterThan(100);
  }
  await page.close();
});

test('no list makes the columns longer, and none of them ends long before the others', async () => {
  const stage = startLivePage();
  const [mint = ''] = stage.mints;
  for (let at = 0; at < 8; at += 1) stage.orders.push(orderOf(`order-${at}`, mint));
  const { page } = await openLive(browser, stage);
  await page.locator('#order-list > li').nth(7).waitFor();
  for (let at = 0; at < 120; at += 1)
    stage.tell('trade', tradeOf(`one-${at}`, mint, `2026-01-01T${String(at % 24).padStart(2, '0')}:00:01Z`));
  await page.locator('#trades tr').nth(100).waitFor({ state: 'attached' });
  const bottoms = await page.evaluate<number[]>(
    `['#tokens', '#orders', '#tape'].map((section) => document.querySelector(section).getBoundingClientRect().bottom)`,
  );
  expect(Math.max(...bottoms) - Math.min(...bottoms)).toBeLessThan(1);
  expect(Math.max(...bottoms)).toBeLessThan(1_300);
  await page.close();
});

test('the api is killed after a question, and the page says how long it was away', async () => {
  const restart = Promise.withResolvers<{ restartedAfterMs: number } | null>();
  const kills: AbortSignal[] = [];
  const apiProcess = {
    isSupervised: () => true,
    kill: (signal: AbortSignal) => {
      kills.push(signal);
      return restart.promise;
    },
  };
  const { page, complaints } = await openLive(browser, startLivePage({ apiProcess }));
  const button = page.getByRole('button', { name: 'Kill the api' });
  page.once('dialog', (dialog) => dialog.dismiss());
  await button.click();
  expect(kills).toEqual([]);
  page.once('dialog', (dialog) => dialog.accept());
  await button.click();
  await page.locator('#kill-outcome').filter({ hasText: 'restarting' }).waitFor();
  expect(await button.isDisabled()).toBe(true);
  restart.resolve({ restartedAfterMs: 4_812 });
  await page.getByText('restarted in 4.8 s').waitFor();
  expect(await button.isEnabled()).toBe(true);
  expect(kills).toHaveLength(1);
  expect(complaints.filter((complaint) => !isEvent404(complaint))).toEqual([]);
  await page.close();
});

test('without an api that the sandbox starts again there is nothing to kill', async () => {
  const { page } = await openLive(browser, startLivePage());
  const button = page.getByRole('button', { name: 'Kill the api' });
  await page.locator('#kill-api[title*="does not supervise"]').waitFor();
  expect(await button.isDisabled()).toBe(true);
  await page.close();
});

async function expectFolded(rows: ReturnType<Page['locator']>, total: number): Promise<void> {
  const folds = await rows.getByRole('button', { name: /^and \d+ more like it$/ }).allTextContents();
  const folded = folds.reduce((sum, text) => sum + Number(/\d+/.exec(text)?.[0]), 0);
  expect(folded).toBeGreaterThanOrEqual(total - 8);
  expect((await rows.count()) + folded).toBe(total);
}

test('a failed webhook names endpoint and subject, before and after the page was opened; a dead letter is marked', async () => {
  const stage = startLivePage();
  const read = deliveryOf('read', 'far', { status: 'dead_letter' });
  stage.endpoints.set('far', { url: 'https://far.example/hook', deliveries: [read] });
  stage.endpoints.set('later', { url: 'https://later.example/hook', deliveries: [] });
  stage.subjects.set(read.eventId, 'mint-of-the-dead');
  const { page } = await openLive(browser, stage);
  const dead = rowOf(page, 'https://far.example/hook');
  await dead.filter({ hasText: 'mint-of-the-dead' }).waitFor();
  expect(await dead.locator('.verdict').textContent()).toBe('✗ dead letter 503');
  expect(await dead.getAttribute('data-status')).toBe('dead_letter');

  await page.locator('#mine').uncheck();
  // The other page's event has arrived here too, so this page knows its subject.
  await stage.deliver('shared-event', 'build.service.launch.created.v1', 'mint-of-both');
  await rowOf(page, 'mint-of-both').waitFor();
  stage.tell('delivery', deliveryOf('pushed', 'later', { eventId: 'shared-event' }));
  const retried = rowOf(page, 'https://later.example/hook');
  await retried.filter({ hasText: 'mint-of-both' }).waitFor();
  await retried.locator('summary').focus();
  stage.tell('delivery', deliveryOf('pushed', 'later', { eventId: 'shared-event', responseStatus: 502 }));
  await retried.filter({ hasText: 'retrying 502' }).waitFor();
  expect(await page.evaluate("document.activeElement.closest('summary')?.textContent")).toContain(
    'retrying 502',
  );
  stage.tell('delivery', deliveryOf('pushed', 'later', { eventId: 'shared-event' }));
  await retried.filter({ hasText: 'retrying 503' }).waitFor();
  expect(await retried.locator('.verdict').textContent()).toBe('✗ retrying 503');

  await page.locator('#failed').check();
  expect(await page.locator('#deliveries > li').filter({ visible: true }).count()).toBe(2);
  stage.tell('delivery', deliveryOf('pushed', 'later', { eventId: 'shared-event', status: 'succeeded' }));
  await retried.waitFor({ state: 'hidden' });
  await page.close();
});

/** Counts the pixels with the colour of a bar in each third of the chart's width, over all layers. */
const barPoints = String.raw`(() => {
  const chart = document.querySelector('#chart');
  const bars = ['--accent', '--no'].map((name) => {
    chart.style.color = 'var(' + name + ')';
    const value = getComputedStyle(chart).color.match(/\d+/g).map(Number);
    chart.style.color = '';
    return value;
  });
  const thirds = [0, 0, 0];
  for (const layer of chart.querySelectorAll('canvas')) {
    // The scales have layers of their own.
    if (layer.clientWidth < chart.clientWidth / 2 || layer.clientHeight < chart.clientHeight / 2) continue;
    const { data, width } = layer.getContext('2d').getImageData(0, 0, layer.width, layer.height);
    for (let at = 0; at < data.length; at += 4)
      if (bars.some(([r, g, b]) => data[at] === r && data[at + 1] === g && data[at + 2] === b))
        thirds[Math.floor((((at / 4) % width) / width) * 3)] += 1;
  }
  return thirds;
})()`;
