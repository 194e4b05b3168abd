import { beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser, watchedPage } from '../support/http/browser.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import {
  createSandboxDir,
  runBun,
  type SandboxProcess,
  startSandbox,
} from '../support/sandbox/sandbox-process.ts';

/** Installing Chromium is part of the start where it is missing. */
const START_TIMEOUT_MS = 300_000;
/** The second attempt is due after five seconds. */
const RETRIED_TIMEOUT_MS = 60_000;

const dir = createSandboxDir();
let sandbox: SandboxProcess;
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  sandbox = await startSandbox(dir);
}, START_TIMEOUT_MS);

/** The page, once its stream and its webhooks are live. */
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
  // A minute may end between the page's look and ours.
  expect(await candles(chosen)).toBeGreaterThanOrEqual((await candles(String(mint))) - 1);
  const rows = page.locator('#deliveries > li');
  for (let copy = 0; copy < 25; copy += 1) {
    const headers = { 'webhook-id': `forged-${copy}` };
    await fetch(`${sandbox.state.inboxUrl}/webhooks`, { method: 'POST', headers, body: '{}' });
  }
  // What is searched for is never folded.
  await page.locator('#search').fill('forged-');
  await page.locator('#more').waitFor();
  expect(await rows.filter({ visible: true }).count()).toBe(20);
  await page.locator('#more').click();
  expect(await rows.filter({ visible: true }).count()).toBeGreaterThan(20);
  expect(await page.locator('#more').isVisible()).toBe(false);
  await page.close();
});

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
  const environment = { LAUNCHWIRE_STATE: join(dir, 'state.json') };
  expect(await runBun(['examples/bot.ts'], environment)).toMatchObject({ code: 0 });
  const intent = page.locator('#intent-list > li[data-status=confirmed]').first();
  await intent.waitFor();
  const steps = await intent.locator('.steps li').allTextContents();
  expect(steps).toHaveLength(3);
  expect(steps[1]).toMatch(/^submittedafter [\d.,]+ m?s$/);
  expect(steps[2]).toMatch(/^confirmedafter [\d.,]+ m?s$/);
  await page.close();
});

test(
  'a delivery that fails elsewhere is shown with its attempts, is sent now, and is replayed',
  async () => {
    const { page } = await openPage();
    const subscriber = startSubscriber();
    // It is sent a ping.
    await createEndpoint(subscriber.url);
    const delivery = page.locator('#deliveries > li').filter({ hasText: 'webhook.ping' }).first();
    // The schedule's next attempt is five minutes away then: nothing but the buttons sends.
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
  },
  RETRIED_TIMEOUT_MS,
);

/** A subscriber that refuses until it is told otherwise. */
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

async function createEndpoint(url: string): Promise<void> {
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
}

/** A stream that was left for another is a failed request to the browser. */
function isLeftStream(complaint: string): boolean {
  return complaint.startsWith('failed: ') && complaint.includes('/stream');
}
