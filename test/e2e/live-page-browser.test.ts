import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { ratePolicies } from '../../src/shared/rate-policies.ts';
import { launchBrowser, watchedPage } from '../support/http/browser.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { publishEvent } from '../support/sandbox/published-event.ts';
import { runBun } from '../support/sandbox/sandbox-process.ts';
import { removeEndpoints, type SharedSandbox, useSandbox } from '../support/sandbox/shared-sandbox.ts';

/** The start installs Chromium when it is missing. */
const START_TIMEOUT_MS = 300_000;

let sandbox: SharedSandbox;
let browser: Browser;
const createdEndpoints: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  sandbox = await useSandbox();
}, START_TIMEOUT_MS);

afterAll(() => removeEndpoints(sandbox.state, ({ id }) => createdEndpoints.includes(id)));

/** Opens the page and waits until its stream and its webhooks are live. */
async function openPage(options: Parameters<typeof watchedPage>[1] = {}) {
  const watched = await watchedPage(browser, options);
  await watched.page.goto(sandbox.state.inboxUrl);
  await watched.page.locator('#stream[data-state=live]').waitFor();
  await watched.page.locator('#connection[data-state=live]').waitFor();
  return watched;
}

for (const width of [1_400, 390])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`tokens, figures and candles fit into ${width} px, ${colorScheme}, without a complaint`, async () => {
      const { page, complaints } = await openPage({ viewport: { width, height: 900 }, colorScheme });
      await page.locator('#token-list button[aria-current]').waitFor();
      await page.locator('#chart canvas').first().waitFor();
      expect(await page.locator('#figures dd').first().textContent()).toEndWith(' SOL');
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(complaints).toEqual([]);
      await page.close();
    });

test('opening the page uses at most a tenth of the requests that the limits allow in a minute', async () => {
  const { page } = await watchedPage(browser);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(sandbox.state.inboxUrl);
  await page.locator('#chart canvas').first().waitFor();
  await page.locator('#trades tr').first().waitFor();
  const candles = asked.filter((path) => path.endsWith('/candles')).length;
  expect(candles).toBeGreaterThan(0);
  expect(candles).toBeLessThanOrEqual(ratePolicies['public-read-expensive'].limit / 10);
  expect(asked.length).toBeLessThanOrEqual(ratePolicies['public-read-cheap'].limit / 10);
  await page.close();
});

test('the market with the longest history is shown first, and the webhooks in short', async () => {
  const { page } = await openPage();
  const { mint } = sandbox.state;
  const symbols = await page.locator('#token-list button[aria-current] strong').allTextContents();
  const candles = async (one: string) => {
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const query = `interval=1m&from=${from}&to=${new Date().toISOString()}`;
    const response = await fetch(`${sandbox.state.baseUrl}/tokens/${one}/candles?${query}`);
    return ((await response.json()) as { data: unknown[] }).data.length;
  };
  const { data } = (await (await fetch(`${sandbox.state.baseUrl}/tokens?limit=40`)).json()) as {
    data: { mintAddress: string; symbol: string }[];
  };
  const chosen = data.find(({ symbol }) => symbol === symbols[0])?.mintAddress ?? expect.unreachable();
  // A minute may end between the page's request and ours.
  expect(await candles(chosen)).toBeGreaterThanOrEqual((await candles(String(mint))) - 1);
  const rows = page.locator('#deliveries > li');
  for (let copy = 0; copy < 25; copy += 1) {
    const headers = { 'webhook-id': `forged-${copy}` };
    await fetch(`${sandbox.state.inboxUrl}/webhooks`, { method: 'POST', headers, body: '{}' });
  }
  // The page never folds search results.
  await page.locator('#search').fill('forged-');
  await page.locator('#more').waitFor();
  expect(await rows.filter({ visible: true }).count()).toBe(20);
  await page.locator('#more').click();
  expect(await rows.filter({ visible: true }).count()).toBeGreaterThan(20);
  expect(await page.locator('#more').isVisible()).toBe(false);
  await page.close();
});

test('a search finds a token with a mistake in its name, and a column sorts by its value', async () => {
  const { page, complaints } = await openPage();
  const rows = page.locator('#token-list button');
  const symbols = () => rows.locator('strong').allTextContents();
  const newest = await symbols();
  const { name } = await ownToken();
  await page.locator('#find').fill(`${name.slice(0, -1)}q`);
  await page
    .locator('#token-list strong')
    .first()
    .filter({ hasText: (await ownToken()).symbol })
    .waitFor();
  await page.locator('#find').fill('zzzzzzzzzz');
  await page.locator('#no-tokens').waitFor();
  await page.locator('#columns button[data-sort=marketCap]').click();
  await page.locator('#columns button[data-sort=marketCap][aria-pressed=true]').waitFor();
  await rows.first().waitFor();
  const caps = await page.locator('#token-list .price small').allTextContents();
  expect(caps[0]).toEndWith(' SOL');
  await page.locator('#columns button[data-sort=graduationProgress]').click();
  await page.locator('#token-list .price small', { hasText: '%' }).first().waitFor();
  await page.locator('#token-list progress').first().waitFor();
  await page.locator('#columns button[data-sort=launchedAt]').click();
  await eventually('the newest tokens are back', async () => (await symbols()).includes(newest[0] ?? ''));
  expect(complaints.filter((complaint) => !isLeftStream(complaint))).toEqual([]);
  await page.close();
});

test('a token with a picture is launched by the form, and shown with it in the list and on its market', async () => {
  const { page, complaints } = await watchedPage(browser);
  await page.goto(`${sandbox.state.inboxUrl}/launch.html`);
  const symbol = crypto.randomUUID().slice(0, 8);
  await page.locator('#name').fill('Copper <b>Wire</b>');
  await page.locator('#symbol').fill(symbol);
  await page
    .locator('#file')
    .setInputFiles({ name: 'copper.txt', mimeType: 'image/png', buffer: Buffer.from('no') });
  await page.locator('#picture-state').filter({ hasText: 'no PNG' }).waitFor();
  await page.locator('#file').setInputFiles({ name: 'copper.png', mimeType: 'image/png', buffer: copper });
  await page.locator('#preview img').waitFor();
  await page.locator('#configs input[value=quick]').check();
  await page.locator('#buy').fill('0.1');
  await page.locator('#quote').filter({ hasText: 'of the supply' }).waitFor();
  await page.locator('#go').click();
  await page.getByRole('link', { name: 'See it on the market' }).click();
  await page.locator('#market-title').filter({ hasText: symbol }).waitFor();
  await page.locator('#market-picture img').waitFor();
  await page.locator('#token-list [aria-current] .picture img').waitFor();
  expect(await page.locator('#market-title').textContent()).toBe(`Copper <b>Wire</b> · ${symbol}`);
  expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([]);
  await page.close();
});

test('an order is placed by the form, and lands on the page by itself; another one is cancelled for good', async () => {
  const { page, complaints } = await openPage();
  await page.goto(`${sandbox.state.inboxUrl}/#${sandbox.state.mint}`);
  // The form begins anew with each token that is chosen.
  const { symbol } = await ownToken();
  await page.locator('#market-title').filter({ hasText: symbol }).waitFor();
  const place = async () => {
    const placed = page.waitForResponse((response) => response.url().endsWith('/wallet/orders'));
    await page.locator('#order-go').click();
    const { id } = (await (await placed).json()) as { id: string };
    return (status: string) => page.locator(`#order-list > li[data-id="${id}"][data-status=${status}]`);
  };
  await page.getByRole('button', { name: '−1 %' }).click();
  const price = Number(await page.locator('#order-price').inputValue());
  // The next trade triggers the order, wherever the market has moved, and its slippage still reaches that price.
  await page.locator('#order-price').fill((price * 0.9).toFixed(15));
  await page.locator('#order-slippage').fill('40');
  await page.locator('#order-when').selectOption('at_or_above');
  const due = await place();
  await tradeByBot();
  await due('landed').filter({ hasText: 'triggered' }).filter({ hasText: 'got ' }).waitFor();

  await page.locator('#order-price').fill((price / 2).toFixed(15));
  await page.locator('#order-when').selectOption('at_or_below');
  const waiting = await place();
  await waiting('open').getByRole('button', { name: 'Cancel' }).click();
  await waiting('cancelled').waitFor();
  await page.locator('#intent-list').filter({ hasText: 'confirmed' }).first().waitFor();
  expect(complaints.filter((complaint) => !isLeftStream(complaint))).toEqual([]);
  await page.close();
});

/** A picture of one pixel. */
const copper = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The token of the sandbox's state. */
async function ownToken() {
  const response = await fetch(`${sandbox.state.baseUrl}/tokens/${sandbox.state.mint}`);
  return (await response.json()) as { name: string; symbol: string };
}

test('trades come in by the stream, and choosing a token shows its market', async () => {
  const { page, complaints } = await openPage();
  await page.locator('#trades tr.fresh').first().waitFor();
  const other = page.locator('#token-list button:not([aria-current])').first();
  const symbol = await other.locator('strong').textContent();
  await other.click();
  await page
    .locator('#market-title')
    .filter({ hasText: String(symbol) })
    .waitFor();
  await page.locator('#interval').selectOption('5m');
  expect(complaints.filter((complaint) => !isLeftStream(complaint))).toEqual([]);
  await page.close();
});

test('an intent of the example bot goes through its steps, each with its time', async () => {
  const { page } = await openPage();
  await tradeByBot();
  const intent = page.locator('#intent-list > li[data-status=confirmed]').first();
  await intent.waitFor();
  const steps = await intent.locator('.steps li').allTextContents();
  expect(steps).toHaveLength(3);
  expect(steps[1]).toMatch(/^submittedafter [\d.,]+ m?s$/);
  expect(steps[2]).toMatch(/^confirmedafter [\d.,]+ m?s$/);
  await page.close();
});

test('a delivery that fails elsewhere is shown with its attempts, is sent now, and is replayed', async () => {
  const { page } = await openPage();
  const subscriber = startSubscriber();
  // The endpoint gets a ping whose subject is the endpoint. The page never folds search results.
  const endpointId = await createEndpoint(subscriber.url);
  await page.locator('#search').fill(endpointId);
  // That the endpoint was created is an event, too.
  const delivery = rowOf(page, endpointId).filter({ hasNotText: 'endpoint.created' });
  // The next scheduled attempt is then five minutes away, so only the buttons send.
  await delivery.locator('.attempt').filter({ hasText: 'attempt 2' }).waitFor();
  expect(await delivery.locator('.verdict').textContent()).toBe('✗ retrying 503');
  await delivery.locator('summary').click();
  await delivery.getByRole('button', { name: 'Attempts' }).click();
  await delivery.locator('.attempts li').nth(1).waitFor();
  expect(await delivery.locator('.attempts li').allTextContents()).toEqual(
    [2, 1].map((number) => expect.stringMatching(new RegExp(`^${number}\\. .+503$`))),
  );
  subscriber.answer(204);
  await delivery.getByRole('button', { name: 'Send now' }).click();
  await delivery
    .locator('output')
    .filter({ hasText: /^sent now$/ })
    .waitFor();
  await delivery.locator('.verdict').filter({ hasText: '✓ succeeded' }).waitFor();
  expect(subscriber.accepted()).toBe(1);
  await delivery.getByRole('button', { name: 'Replay' }).click();
  await delivery
    .locator('output')
    .filter({ hasText: /^replayed$/ })
    .waitFor();
  await eventually('the replay', async () => subscriber.accepted() === 2);
  await page.close();
});

test('a delivery appears in the open inbox by itself, with type and subject, and its verdict in the details', async () => {
  const { page, complaints, reloads } = await openCounted();
  const subject = `mint-${crypto.randomUUID()}`;
  await page.locator('#search').fill(subject);
  const id = await publishEvent(sandbox.state, subject, { name: 'Live' });
  const row = arrivedRowOf(page, subject);
  await row.waitFor();
  expect(await row.locator('.type').textContent()).toBe('build.service.launch.created.v1');
  expect(await row.locator('.subject').textContent()).toBe(subject);
  // A first attempt that verifies has no mark, only its details say so.
  expect(await row.locator('.attempt, .verdict').count()).toBe(0);
  await row.locator('summary').click();
  expect(await row.locator('.facts').textContent()).toContain('signatureverified');
  expect(await row.textContent()).toContain(id);
  expect(reloads()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});

test('text of an event that looks like markup is shown as text, live and after a reload, and never runs', async () => {
  const { page, complaints } = await openCounted();
  const mark = crypto.randomUUID();
  const hostile = `<img src=x id=${mark} onerror="document.title='owned'">`;
  const closing = '</pre></script><script>document.title=`owned`</script>';
  // The market also launches tokens. The page never folds search results.
  await page.locator('#search').fill(mark);
  await publishEvent(sandbox.state, hostile, { [closing]: closing });
  const row = arrivedRowOf(page, mark);
  for (const look of ['live', 'reloaded']) {
    await row.waitFor();
    await row.locator('summary').click();
    expect(await row.locator('.subject').textContent(), look).toBe(hostile);
    expect(await row.locator('pre').textContent(), look).toContain(closing);
    expect(await row.locator('img, script').count(), look).toBe(0);
    expect(await page.title(), look).toBe('Launchwire live');
    if (look === 'reloaded') continue;
    await page.reload();
    await page.locator('#connection[data-state=live]').waitFor();
    await page.locator('#search').fill(mark);
  }
  expect(complaints.filter((complaint) => !isLeftStream(complaint))).toEqual([]);
  await page.close();
});

test('a request that does not verify is shown as refused, with its reason', async () => {
  const { page, complaints } = await openCounted();
  const id = `<b>${crypto.randomUUID()}</b>`;
  // The page never folds search results.
  await page.locator('#search').fill(id);
  await fetch(`${sandbox.state.inboxUrl}/webhooks`, {
    method: 'POST',
    headers: { 'webhook-id': id, 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' },
    body: '{}',
  });
  const row = rowOf(page, id);
  await row.waitFor();
  expect(await row.locator('.verdict').textContent()).toBe('✗ refused');
  expect(await row.locator('b').count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});

/** The example bot buys the token of the sandbox's state. */
async function tradeByBot() {
  const environment = { LAUNCHWIRE_STATE: sandbox.stateFile };
  expect(await runBun(['examples/bot.ts'], environment)).toMatchObject({ code: 0 });
}

/** Opens the page and counts how often it reloads. */
async function openCounted() {
  const opened = await openPage();
  let reloads = 0;
  opened.page.on('domcontentloaded', () => {
    reloads += 1;
  });
  return { ...opened, reloads: () => reloads };
}

/** The row of a successful delivery. An endpoint of another test file may get the same event and refuse
 * it. */
function arrivedRowOf(page: Page, text: string) {
  return page.locator('#deliveries > li:not([data-status])').filter({ hasText: text });
}

function rowOf(page: Page, text: string) {
  return page.locator('#deliveries > li').filter({ hasText: text });
}

/** A subscriber that refuses deliveries until the test changes its response. */
function startSubscriber() {
  let status = 503;
  let accepted = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      if (status < 300) accepted += 1;
      return new Response(null, { status });
    },
  });
  atEnd(() => server.stop(true));
  return {
    url: `http://127.0.0.1:${server.port}/hooks`,
    answer(next: number) {
      status = next;
    },
    accepted: () => accepted,
  };
}

async function createEndpoint(url: string): Promise<string> {
  const { baseUrl, apiKey } = sandbox.state;
  const response = await fetch(`${baseUrl}/webhook-endpoints`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Idempotency-Key': crypto.randomUUID(),
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ url, eventTypes: ['build.service.webhook.ping.v1'] }),
  });
  expect(response.ok).toBe(true);
  const { id } = (await response.json()) as { id: string };
  createdEndpoints.push(id);
  return id;
}

/** The browser reports a stream as a failed request when the page closes it. */
function isLeftStream(complaint: string): boolean {
  return complaint.startsWith('failed: ') && complaint.includes('/stream');
}
