import { beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, watchedPage } from '../support/http/browser.ts';
import { publishEvent } from '../support/sandbox/published-event.ts';
import { createSandboxDir, type SandboxProcess, startSandbox } from '../support/sandbox/sandbox-process.ts';

/** Installing Chromium is part of the start where it is missing. */
const START_TIMEOUT_MS = 300_000;

let sandbox: SandboxProcess;
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  sandbox = await startSandbox(createSandboxDir());
}, START_TIMEOUT_MS);

/** The open inbox, connected; `loads` counts its documents. */
async function openInbox() {
  const { page, complaints } = await watchedPage(browser);
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  await page.goto(sandbox.state.inboxUrl);
  await page.locator('#connection[data-state=live]').waitFor();
  return { page, complaints, loads: () => loads };
}

function rowOf(page: Page, text: string) {
  return page.locator('#deliveries > li').filter({ hasText: text });
}

test('a delivery appears in the open inbox by itself, with type, subject, attempt and verdict', async () => {
  const { page, complaints, loads } = await openInbox();
  await page.locator('#search').fill('mint-live');
  const id = await publishEvent(sandbox.state, 'mint-live', { name: 'Live' });
  const row = rowOf(page, 'mint-live');
  await row.waitFor();
  expect(await row.locator('.type').textContent()).toBe('build.service.launch.created.v1');
  expect(await row.locator('.subject').textContent()).toBe('mint-live');
  expect(await row.locator('.attempt').textContent()).toBe('attempt 1');
  expect(await row.locator('.verdict').textContent()).toBe('✓ verified');
  expect(await row.textContent()).toContain(id);
  expect(loads()).toBe(1);
  expect(complaints).toEqual([]);
  await page.close();
});

test('text of an event that looks like markup is shown as text, live and after a reload, and never runs', async () => {
  const { page, complaints } = await openInbox();
  const hostile = '<img src=x onerror="document.title=`owned`">';
  const closing = '</pre></script><script>document.title=`owned`</script>';
  // The market launches too, and what is found is never folded.
  await page.locator('#search').fill('onerror');
  await publishEvent(sandbox.state, hostile, { [closing]: closing });
  const row = rowOf(page, 'onerror');
  for (const look of ['live', 'reloaded']) {
    await row.waitFor();
    await row.locator('summary').click();
    expect(await row.locator('.subject').textContent(), look).toBe(hostile);
    expect(await row.locator('pre').textContent(), look).toContain(closing);
    expect(await row.locator('img, script').count(), look).toBe(0);
    expect(await page.title(), look).toBe('Launchwire live');
    if (look === 'reloaded') continue;
    await openAgain(page);
    await page.locator('#search').fill('onerror');
  }
  expect(complaints.filter((complaint) => !isCancelledStream(complaint))).toEqual([]);
  await page.close();
});

test('a request that does not verify is shown as refused, with its reason', async () => {
  const { page, complaints } = await openInbox();
  const id = '<b>forged</b>';
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

async function openAgain(page: Page): Promise<void> {
  await page.reload();
  await page.locator('#connection[data-state=live]').waitFor();
}

/** Leaving a page ends its event streams, which the browser reports as a failed request. */
function isCancelledStream(complaint: string): boolean {
  return complaint.startsWith('failed: ') && complaint.includes('/stream');
}
