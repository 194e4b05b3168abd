import { beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { contractDefinitions } from '../../src/api/routes.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { launchBrowser, watchedPage } from '../support/http/browser.ts';

/** The start installs Chromium when it is missing. */
const START_TIMEOUT_MS = 300_000;
const UNKNOWN_MINT = 'So11111111111111111111111111111111111111112';
const grounds = { light: 'rgb(251, 251, 249)', dark: 'rgb(18, 23, 22)' } as const;

let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  api = await startTestApi();
  // The public name resolves to this api, so the browser opens addresses in responses unchanged.
  browser = await launchBrowser({ 'api.test': new URL(api.origin).host });
}, START_TIMEOUT_MS);

const groundOf = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

describe('in a real browser', () => {
  test('the type of an error leads to its explanation', async () => {
    const problem = await expectProblem(
      await fetch(`${api.baseUrl}/tokens/${UNKNOWN_MINT}`),
      'token_not_found',
    );
    const { page, complaints } = await watchedPage(browser);
    await page.goto(problem.type);
    await page.waitForURL('**/docs/reference/errors/token_not_found');
    await page.getByRole('heading', { level: 1, name: 'token_not_found' }).waitFor();
    await page.getByText('No visible token has this mint address.', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the reference leads to every operation, and an error to those that return it', async () => {
    const { page, complaints } = await watchedPage(browser);
    await page.goto('http://api.test/docs/reference');
    expect(await page.locator('.operations-of li').count()).toBe(contractDefinitions.length);
    await page.goto('http://api.test/docs/reference/errors/holder_stats_not_found');
    await page.getByRole('main').getByRole('link', { name: 'getTokenHolderStats' }).click();
    await page.getByRole('heading', { level: 1, name: 'Holder count of a token' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the search opens by a key, finds while one types, and works with the keyboard', async () => {
    const { page, complaints } = await watchedPage(browser);
    await page.goto('http://api.test/docs');
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('swap quote');
    await page.getByRole('option').first().waitFor();
    await page.getByRole('combobox').fill('createsw');
    await page.getByRole('option', { name: 'createSwap' }).waitFor();
    await page.getByRole('combobox').press('Enter');
    await page.waitForURL('**/docs/reference/operations/createSwap');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox').fill('xyzzyx');
    await page.getByText('Nothing found for “xyzzyx”.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the search finds the operation of a stop loss, and selects one result, which a mouse that rests does not change', async () => {
    const { page } = await watchedPage(browser, { viewport: { width: 1280, height: 900 } });
    await page.goto('http://api.test/docs');
    await page.keyboard.press('/');
    // Where the third result will be.
    await page.mouse.move(640, 320);
    await page.getByRole('combobox').fill('stop loss');
    const options = page.getByRole('option');
    await options.first().waitFor();
    const titles = await options.locator('.title').allTextContents();
    expect(titles.slice(0, 3)).toContain('createOrder');
    const coloured = () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('#results > *')].filter((item) => getComputedStyle(item).backgroundColor !== 'rgba(0, 0, 0, 0)').map(({ id }) => id)`,
      );
    expect(await coloured()).toEqual(['result-0']);
    await options.nth(2).hover();
    expect(await coloured()).toEqual(['result-2']);
    await page.keyboard.press('ArrowDown');
    expect(await coloured()).toEqual(['result-3']);
    await page.close();
  });

  test('a chosen language of samples, and a chosen theme, hold on the next page', async () => {
    const context = await browser.newContext({ colorScheme: 'light' });
    const page = await context.newPage();
    await page.goto('http://api.test/docs/reference/operations/createSwap');
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await groundOf(page)).toBe(grounds.dark);
    await page.goto('http://api.test/docs/reference/operations/getToken');
    await page.getByText('import urllib.request').waitFor();
    expect(await page.locator('[data-tab=curl]').isVisible()).toBe(false);
    expect(await groundOf(page)).toBe(grounds.dark);
    await context.close();
  });

  test.each(['http://api.test', 'http://localhost', 'http://127.0.0.1'])(
    'requests are tried from %s',
    async (site) => {
      const origin = site.endsWith('.test') ? site : `${site}:${new URL(api.origin).port}`;
      const { page } = await watchedPage(browser);
      // Anonymous requests work from any origin. Requests with a key have no CORS and need the same origin.
      await page.goto(`${origin}/docs/reference/operations/listTokens`);
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.getByText(/^200 .* in \d+ ms$/).waitFor();
      await page.goto(`${origin}/docs/reference/operations/getApiIdentity`);
      await page.getByPlaceholder('lw_test_').fill('lw_test_wrong');
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.getByText(/^401 /).waitFor();
      expect(await page.locator('.answer pre').first().textContent()).toContain('"invalid_api_key"');
      await page.close();
    },
  );

  test('a change is tried with its body, and a fresh key of its own', async () => {
    const { page } = await watchedPage(browser);
    await page.goto('http://api.test/docs/reference/operations/createSwap');
    const sent = page.waitForRequest('**/swaps');
    await page.getByPlaceholder('lw_test_').fill('lw_test_wrong');
    await page.getByRole('button', { name: 'Send request' }).click();
    const request = await sent;
    expect(request.method()).toBe('POST');
    expect(request.headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(request.headers().authorization).toBe('Bearer lw_test_wrong');
    expect(request.postDataJSON()).toMatchObject({ side: 'buy' });
    await page.getByText(/^401 /).waitFor();
    await page.close();
  });

  test('a phone opens and closes the navigation', async () => {
    const { page, complaints } = await watchedPage(browser, { viewport: { width: 390, height: 800 } });
    await page.goto('http://api.test/docs/guides/swaps');
    const entry = page
      .getByRole('navigation', { name: 'Guides' })
      .getByRole('link', { name: 'Webhooks', exact: true });
    expect(await entry.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'All pages of this area' }).click();
    expect(await entry.isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Close' }).click();
    expect(await entry.isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
