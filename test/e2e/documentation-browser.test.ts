import { beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { contractOperations } from '../../src/contract-operations.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { launchBrowser, watchedPage } from '../support/browser.ts';
import { expectProblem } from '../support/problems.ts';

/** Installing Chromium is part of the start where it is missing. */
const START_TIMEOUT_MS = 300_000;
const UNKNOWN_MINT = 'So11111111111111111111111111111111111111112';

let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  api = await startTestApi();
  // The public name leads here, so addresses in answers are opened exactly as they are.
  browser = await launchBrowser({ 'api.test': new URL(api.origin).host });
}, START_TIMEOUT_MS);

describe('in a real browser', () => {
  test('the type of an error leads to its explanation', async () => {
    const problem = await expectProblem(
      await fetch(`${api.baseUrl}/tokens/${UNKNOWN_MINT}`),
      'token_not_found',
    );
    const { page, complaints } = await watchedPage(browser);
    await page.goto(problem.type);
    const entry = page.locator(':target');
    expect(await entry.getAttribute('id')).toBe('token_not_found');
    expect(await entry.isVisible()).toBe(true);
    expect(await entry.textContent()).toContain('No visible token has this mint address.');
    const box = await entry.boundingBox();
    expect(box?.y ?? -1).toBeGreaterThanOrEqual(0);
    expect(box?.y ?? Number.POSITIVE_INFINITY).toBeLessThan(page.viewportSize()?.height ?? 0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the reference shows every operation without a complaint', async () => {
    const { page, complaints } = await watchedPage(browser);
    await page.goto('http://api.test/docs');
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.opblock').count()).toBe(contractOperations.length);
    await page.locator('button.authorize').click();
    await page.getByText('A server-side API key').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a link from an error opens its operation in the reference', async () => {
    const { page, complaints } = await watchedPage(browser);
    await page.goto('http://api.test/docs/reference/errors#holder_stats_not_found', {
      waitUntil: 'networkidle',
    });
    await page.locator(':target').getByRole('link', { name: 'getTokenHolderStats' }).click();
    await page.locator('.opblock.is-open').getByText('when holders were counted').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each([
    ['light', 'light', 1280],
    ['dark', 'dark', 1280],
    ['on a phone', 'light', 360],
  ] as const)('pages fit and stay readable: %s', async (_name, colorScheme, width) => {
    const type = 'build.service.transaction_intent.confirmed.v1';
    for (const path of [
      '/docs/reference/errors',
      '/docs/reference/events',
      `/docs/reference/events/${type}`,
    ]) {
      // A page of its own each: leaving one cancels what it still loads, which would count as a complaint.
      const { page, complaints } = await watchedPage(browser, {
        colorScheme,
        viewport: { width, height: 800 },
      });
      await page.goto(`http://api.test${path}`);
      // The configuration has no DOM types, hence text for the browser instead of functions.
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
      const ground = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      expect(ground).toBe(colorScheme === 'dark' ? 'rgb(18, 23, 28)' : 'rgb(255, 255, 255)');
      expect(complaints).toEqual([]);
      await page.close();
    }
  });
});
