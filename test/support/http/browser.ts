import { type Browser, chromium, type Page } from 'playwright-core';
import { debianExecutable } from '../../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../../sandbox/services/executable.ts';
import { silent } from '../../../sandbox/services/log.ts';
import { atEnd } from '../run/cleanup.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Ends a hang before the test's limit. On a busy machine the reference takes half a minute to render. */
const WAIT_TIMEOUT_MS = 100_000;

/** A page that records everything that goes wrong. */
export interface WatchedPage {
  page: Page;
  /** Console errors and warnings, exceptions, failed requests, and responses of 400 and above. */
  complaints: string[];
}

/**
 * Starts a real Chromium from PATH, else from Debian's package. `hosts` maps names to `address:port`, so that
 * a test can open public addresses.
 */
export async function launchBrowser(hosts: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const executablePath =
    findExecutable('chromium') ??
    findExecutable('chromium-browser') ??
    findExecutable('google-chrome') ??
    (await debianExecutable('chromium', ['chromium'], silent));
  if (executablePath === undefined) {
    throw new Error(
      'Chromium is missing and could be neither installed nor downloaded: install it (Debian: apt-get install chromium; ' +
        'macOS: brew install --cask chromium) so that the documentation can be tested in a real browser.',
    );
  }
  const rules = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
  const browser = await chromium.launch({
    executablePath,
    timeout: WAIT_TIMEOUT_MS,
    args: [...FLAGS, ...(rules.length > 0 ? [`--host-resolver-rules=${rules.join(',')}`] : [])],
  });
  atEnd(() => browser.close());
  return browser;
}

/** Opens an empty page that is watched from its first request on. */
export async function watchedPage(
  browser: Browser,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<WatchedPage> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(WAIT_TIMEOUT_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('requestfailed', (request) => {
    const cause = request.failure()?.errorText;
    // Chromium loads the icon after the page, and aborts open requests when it leaves the page.
    if (cause !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} ${cause}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  return { page, complaints };
}
