import { beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { contractDefinitions } from '../../src/api/routes.ts';
import { createDocumentation, type Documentation } from '../../src/documentation/documentation.ts';
import { defaultRateLimits } from '../../src/shared/rate-policies.ts';
import { accessibilityFaults, faultsWithin } from '../support/http/accessibility.ts';
import { launchBrowser, watchedPage } from '../support/http/browser.ts';
import { differingPoints, lookAt, pictureOf } from '../support/http/page-looks.ts';
import { atEnd } from '../support/run/cleanup.ts';
import {
  deliveryOf,
  isEvent404,
  openLive,
  orderOf,
  startLivePage,
} from '../support/sandbox/live-page-stage.ts';

/** The start installs Chromium when it is missing. */
const START_TIMEOUT_MS = 300_000;
/** These tests do not check transitions. */
const still = { reducedMotion: 'reduce' } as const;

let docs: string;
let site: Documentation;
let browser: Browser;

beforeAll(async () => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // Forms load records from the api to fill their fields. This api has none.
    fetch: (request) =>
      new URL(request.url).pathname.startsWith('/api/') ? Response.json({ data: [] }) : site.respond(request),
  });
  atEnd(() => server.stop(true));
  docs = `http://127.0.0.1:${server.port}/docs`;
  site = createDocumentation(contractDefinitions, {
    publicUrl: new URL(docs).origin,
    docsUrl: docs,
    rateLimits: defaultRateLimits,
  });
  browser = await launchBrowser();
}, START_TIMEOUT_MS);

/** One address of each kind of page, below /docs. */
const kinds = [
  '',
  '/guides/webhooks',
  '/reference',
  '/reference/operations/createSwap',
  '/reference/errors',
  '/reference/errors/swap_refused',
  '/reference/events',
  '/reference/events/build.service.transaction_intent.confirmed.v1',
];
/** The page of any other address, and the page of a result, whose address is like that of a problem code. */
const kindsWithoutAddress = ['/nothing', '/reference/errors/delivery-request_timeout'];

describe('pages of the documentation', () => {
  test.each([...kinds, ...kindsWithoutAddress])(
    'fit, are readable and say where they go on, at every width and in both themes, and keep the rules of WCAG 2.2: /docs%s',
    async (path) => {
      const page = await openedFitting(path);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.close();
    },
  );

  test.each([
    '/guides/swaps',
    '/guides/glossary',
    '/guides/rate-limits',
    '/reference/errors/idempotency_request_in_progress',
  ])('fit in the same way with more tables and longer names: /docs%s', async (path) => {
    await (await openedFitting(path)).close();
  });

  test('are of these kinds', async () => {
    const folders = new Set(site.addresses.map(dirname));
    const kindOf = (address: string) =>
      folders.has(address) ? address : `${dirname(address)}/*${extname(address)}`;
    const pages: string[] = [];
    for (const [kind, [address = '']] of Map.groupBy(site.addresses, kindOf)) {
      const response = await site.respond(
        new Request(new URL(address, docs).href, { headers: { accept: 'text/html' } }),
      );
      if (response.headers.get('content-type')?.startsWith('text/html')) pages.push(kind);
    }
    expect(pages.sort()).toEqual(kinds.map((path) => kindOf(`/docs${path}`)).sort());
  });

  test('keep the rules of WCAG 2.2 while they show results, messages and the menu', async () => {
    const { page } = await watchedPage(browser, { ...still, viewport: { width: 390, height: 900 } });
    await page.goto(`${docs}/reference/operations/getToken`);
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('xyzzyx');
    await page.getByText('Nothing found for “xyzzyx”.').waitFor();
    expect(await faultsWithin(page, 'dialog.search')).toEqual([]);
    await page.getByRole('combobox').fill('swap quote');
    await page.getByRole('option').first().waitFor();
    expect(await faultsWithin(page, 'dialog.search')).toEqual([]);
    await page.keyboard.press('Escape');

    const send = page.getByRole('button', { name: 'Send request' });
    const status = page.locator('form.try').getByRole('status');
    await page.locator('[name=mint]').fill('');
    await send.press('Enter');
    await status.filter({ hasText: 'Enter mint first.' }).waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('mint');
    expect(await faultsWithin(page, 'form.try')).toEqual([]);
    await page.locator('[name=mint]').fill('any');
    await send.press('Enter');
    await status.filter({ hasText: /^200 / }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Send request');
    await page.locator('.answer summary').press('Enter');
    expect(await faultsWithin(page, 'form.try')).toEqual([]);

    await page.getByRole('link', { name: 'All pages of this area' }).press('Enter');
    await page.getByRole('link', { name: 'Close', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Close');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.close();
  });

  test('look the same in a chosen theme as in that of the system', async () => {
    for (const [path, system, other] of [
      ['/guides/swaps', 'light', 'dark'],
      ['/reference/operations/createSwap', 'dark', 'light'],
    ] as const) {
      const context = await browser.newContext({ ...still, colorScheme: system });
      const page = await context.newPage();
      await page.goto(`${docs}${path}`);
      const before = await pictureOf(page);
      await page.getByRole('button', { name: 'Light or dark' }).click();
      const chosen = await pictureOf(await reopened(page));
      expect(differingPoints(chosen, before)).toBeGreaterThan(1_000);
      await page.evaluate('localStorage.clear()');
      await page.emulateMedia({ colorScheme: other });
      expect(differingPoints(chosen, await pictureOf(await reopened(page))), `${path} ${other}`).toBe(0);
      await context.close();
    }
  });

  test('the address of a code in the list leads on to its page, and that of an area does not', async () => {
    const { page, complaints } = await watchedPage(browser, still);
    for (const anchor of ['swap_refused', 'delivery-request_timeout', 'intent-solana_transaction_failed']) {
      await page.goto('about:blank');
      await page.goto(`${docs}/reference/errors#${anchor}`);
      await page.waitForURL(`${docs}/reference/errors/${anchor}`);
      await page.locator(`article#${anchor}`).waitFor();
    }
    await page.goto('about:blank');
    await page.goto(`${docs}/reference/errors#delivery-results`);
    await page.getByRole('searchbox', { name: 'Filter by code, status or text' }).waitFor();
    expect(page.url()).toBe(`${docs}/reference/errors#delivery-results`);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the list of errors is filtered as one types, and again when its address is opened', async () => {
    const { page, complaints } = await watchedPage(browser, still);
    await page.goto(`${docs}/reference/errors`);
    const entries = page.locator('[data-entry]').filter({ visible: true });
    const all = await page.locator('[data-entry]').count();
    expect(await entries.count()).toBe(0);
    await page.getByRole('searchbox').fill('429');
    const fitting = await entries.allTextContents();
    expect(fitting.length).toBeGreaterThan(1);
    expect(fitting.filter((text) => !text.includes('429'))).toEqual([]);
    await page.getByRole('searchbox').fill('not found HOLDER');
    expect(await entries.locator('a').allTextContents()).toEqual(['holder_stats_not_found']);
    expect(await page.locator('[data-area]').filter({ visible: true }).count()).toBe(1);
    await page.getByText(`1 of ${all} codes`).waitFor();
    await page.reload();
    expect(await entries.count()).toBe(1);
    await page.getByRole('searchbox').fill('xyzzyx');
    await page.getByText('No code matches “xyzzyx”.').waitFor();
    await page.getByRole('searchbox').fill('');
    expect(await entries.count()).toBe(0);
    await page.getByRole('button', { name: 'Open all' }).click();
    expect(await entries.count()).toBe(all);
    await page.getByRole('button', { name: 'Close all' }).click();
    expect(await entries.count()).toBe(0);
    await page.locator('.outline').getByRole('link', { name: 'Trading' }).click();
    await entries.filter({ hasText: 'swap_refused' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a long sample is unfolded by the keyboard', async () => {
    const { page } = await watchedPage(browser, still);
    await page.goto(`${docs}/reference/operations/createSwap`);
    const sample = page.locator('figure[data-lines]').filter({ visible: true }).first();
    const height = async () => (await sample.boundingBox())?.height ?? 0;
    const folded = await height();
    await sample.getByRole('button', { name: /^Show all \d+ lines$/ }).press('Enter');
    expect(await height()).toBeGreaterThan(folded);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('PRE');
    await page.close();
  });
});

describe('the live page', () => {
  test('fits and is readable at every width and in both themes, keeps the rules of WCAG 2.2, and has the colours of the documentation', async () => {
    const stage = startLivePage();
    stage.endpoints.set('far', {
      url: 'https://subscriber.example/a/long/address/of/a/hook',
      deliveries: [
        deliveryOf('dead', 'far', { status: 'dead_letter' }),
        deliveryOf('tried', 'far', { eventType: 'build.service.fee_distribution.completed.v1' }),
      ],
    });
    const [mint = ''] = stage.mints;
    stage.orders.push(
      orderOf('waiting', mint),
      orderOf('refused', mint, {
        status: 'failed',
        reason: 'would_fail',
        completedAt: new Date().toISOString(),
      }),
    );
    const { page, complaints } = await openLive(browser, stage);
    await page.locator('#deliveries > li').filter({ hasText: 'dead letter' }).waitFor();
    await page.locator('#order-list > li').nth(1).waitFor();
    await page.locator('#token-list polyline').first().waitFor();
    expect(await lookAt(page)).toEqual([]);
    await page.locator('#deliveries summary').first().press('Enter');
    expect(await accessibilityFaults(page)).toEqual([]);
    const colours = `['--ground', '--ink', '--accent'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name))`;
    const live = await page.evaluate<string[]>(colours);
    await page.goto(docs);
    expect(live).toEqual(await page.evaluate<string[]>(colours));
    expect(complaints.filter((complaint) => !isEvent404(complaint))).toEqual([]);
    await page.close();
  });

  test('its form for launches does so, too', async () => {
    const { url } = startLivePage();
    const { page, complaints } = await watchedPage(browser, still);
    await page.goto(`${url}/launch.html`);
    await page.locator('#terms dd').first().waitFor();
    await page.locator('#name').fill('Copper Wire');
    await page.locator('#symbol').fill('COPPER');
    await page.locator('#buy').fill('0.1');
    await page.locator('#quote dd').first().waitFor();
    expect(await lookAt(page)).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the page of a wallet does so, too, and there is no other', async () => {
    const pages = readdirSync(new URL('../../sandbox/inbox/page', import.meta.url));
    expect(pages.filter((name) => name.endsWith('.html')).sort()).toEqual([
      'launch.html',
      'page.html',
      'wallet.html',
    ]);
    const { url, wallet } = startLivePage();
    const { page, complaints } = await watchedPage(browser, still);
    await page.goto(`${url}/wallet.html?address=${wallet}`);
    await page.locator('#positions td').first().waitFor();
    await page.locator('#trades td').first().waitFor();
    expect(await lookAt(page)).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

/** A page of the documentation in which `lookAt` finds no fault. */
async function openedFitting(path: string): Promise<Page> {
  const { page, complaints } = await watchedPage(browser, still);
  await page.goto(`${docs}${path}`);
  expect(await lookAt(page)).toEqual([]);
  expect(complaints.filter((complaint) => !complaint.startsWith('404:'))).toEqual(
    path === '/nothing' ? [expect.stringContaining('404')] : [],
  );
  return page;
}

async function reopened(page: Page): Promise<Page> {
  await page.reload();
  // The pointer must leave the pressed switch.
  await page.mouse.move(0, 0);
  return page;
}
