import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { SandboxState } from '../../sandbox/shared/state-file.ts';
import { contractDefinitions } from '../../src/api/routes.ts';
import { EXAMPLE_URL, LiveValues, OWN_URL } from '../support/documentation/live-values.ts';
import { launchBrowser } from '../support/http/browser.ts';
import { eventually } from '../support/run/eventually.ts';
import { removeEndpoints, useSandbox } from '../support/sandbox/shared-sandbox.ts';

/** Missing programs are installed first. */
const START_TIMEOUT_MS = 300_000;
const PAGE_TIMEOUT_MS = 150_000;
const EXAMPLE_ADDRESS = 'So11111111111111111111111111111111111111112';

let state: SandboxState;
let live: LiveValues;
let browser: Browser;
/** A browser window that opened the link printed by the sandbox. */
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  const sandbox = await useSandbox();
  ({ state } = sandbox);
  live = new LiveValues(state);
  browser = await launchBrowser();
  context = await browser.newContext();
  page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const [link = ''] = /http\S+#key=\S+/.exec(sandbox.output) ?? [];
  await page.goto(link);
  // No address contains the key, because addresses are copied and logged.
  expect(page.url()).not.toContain(state.apiKey);
}, START_TIMEOUT_MS);

afterAll(() => removeEndpoints(state, ({ url }) => url === OWN_URL || url === EXAMPLE_URL));

const open = (id: string, at: Page = page) => at.goto(`${state.docsUrl}/reference/operations/${id}`);

/** Clicks once without filling in anything. Returns the response, or the form's request for input. */
async function click(at: Page = page): Promise<string> {
  await at.getByRole('button', { name: 'Send request' }).click();
  const shown = at
    .locator('form.try .outcome:visible, form.try [role=status]')
    .filter({ hasText: /^\d{3} |first\./ });
  await shown.first().waitFor();
  const [text = ''] = await shown.allTextContents();
  return text;
}

/** Forms that ask first: the reader chooses which record to change, and only a wallet can sign. */
const asked: Readonly<Record<string, RegExp>> = {
  submitTransactionIntent: /^Enter intentId first/,
  updateWebhookEndpoint: /^Enter endpointId first/,
  deleteWebhookEndpoint: /^Enter endpointId first/,
  rotateWebhookSecret: /^Enter endpointId first/,
  pingWebhookEndpoint: /^Enter endpointId first/,
  recoverWebhookDeliveries: /^Enter endpointId first/,
  replayWebhookDelivery: /^Enter deliveryId first/,
  retryWebhookDelivery: /^Enter deliveryId first/,
  revokeApiKey: /^Enter keyId first/,
  cancelOperation: /^Enter operationId first/,
  closeOrderSlot: /^Enter slotId first/,
  signOrder: /^Enter orderId first/,
  cancelOrder: /^Enter orderId first/,
};

describe('a request is tried with one click', () => {
  // Pages of streams and of uploads have no form.
  const ids = contractDefinitions
    .filter(({ isStream, upload }) => isStream !== true && upload === undefined)
    .map(({ id }) => id);

  test.each(ids)(
    '%s',
    async (id) => {
      // Its records, such as a settled round, must exist first.
      if (asked[id] === undefined) await live.replacementsFor(id);
      await open(id);
      const text = await eventually('an answer that asks for no repetition', async () => {
        const answered = await click();
        // The market may move between the quote and the simulation of a swap, and a token to another pool.
        const body = await page.locator('.answer').textContent();
        const isMigrating = body?.includes('"reason": "migrating"');
        return isMigrating || body?.includes('"retry": "repeat"') ? null : answered;
      });
      // The wallet may have predicted in every open round already.
      if (id === 'createPrediction' && text.startsWith('409')) return;
      expect(text, (await page.locator('.answer').textContent()) ?? '').toMatch(asked[id] ?? /^20\d /);
      const samples = (await page.locator('[data-tabs] code').allTextContents()).join('\n');
      expect(samples).not.toContain(EXAMPLE_ADDRESS);
    },
    PAGE_TIMEOUT_MS,
  );
});

describe('the form', () => {
  test('offers the records that a change can apply to, and sends their version', async () => {
    const [[, endpointId = ''] = []] = (await live.replacementsFor('updateWebhookEndpoint')).filter(
      ([example]) => example.startsWith('0191'),
    );
    await open('updateWebhookEndpoint');
    expect(await click()).toMatch(/^Enter endpointId first/);
    const offered = await page.evaluate<string[]>(
      "[...document.querySelectorAll('#endpointId-values option')].map(({ value }) => value)",
    );
    expect(offered).toContain(endpointId);
    await page.locator('[name=endpointId]').fill(endpointId);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    expect(await click()).toMatch(/^200 /);
    expect((await sent).headers()['if-match']).toBe('"1"');
    // The second click sends the new version.
    const again = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Send request' }).click();
    expect((await again).headers()['if-match']).toBe('"2"');
  });

  test('asks for a missing key, sends no request, and goes on once it has the key', async () => {
    const other = await browser.newPage();
    other.setDefaultTimeout(PAGE_TIMEOUT_MS);
    const sent: string[] = [];
    other.on('request', (request) => sent.push(request.url()));
    await open('getTransactionIntent', other);
    expect(await click(other)).toMatch(/^Enter an API key first/);
    expect(sent.filter((url) => url.includes('/api/v2/'))).toEqual([]);
    await other.getByPlaceholder('lw_test_').fill(state.apiKey);
    expect(await click(other)).toMatch(/^200 /);
    await other.close();
  });

  test('keeps the text that the reader has typed', async () => {
    await open('getToken');
    await page.locator('[name=mint]').fill(EXAMPLE_ADDRESS);
    expect(await click()).toMatch(/^404 /);
    expect(await page.locator('[name=mint]').inputValue()).toBe(EXAMPLE_ADDRESS);
  });

  test('is in sight when the link of the sandbox is opened', async () => {
    const other = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await other.goto(`${state.docsUrl}/reference/operations/createSwap#key=${state.apiKey}`);
    const { y = -1 } = (await other.locator('form.try').boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(300);
    await other.close();
  });

  test('accepts a key from a link only on the local machine, and only a test key', async () => {
    const other = await browser.newPage();
    await other.goto(`${state.docsUrl}/reference/operations/getApiIdentity#key=lw_live_${'a'.repeat(40)}`);
    expect(await other.getByPlaceholder('lw_test_').inputValue()).toBe('');
    await other.close();
  });
});
