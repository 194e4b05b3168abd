import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { facts } from './page-looks.ts';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const options: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'],
  // It costs half of a run, and `page-facts.js` judges contrast at more widths and over gradients.
  rules: { 'color-contrast': { enabled: false } },
  resultTypes: ['violations'],
  preload: false,
};

/** Each rule is judged at both widths and in both themes; `page-looks.ts` judges contrast in each pair of them. */
const looks = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

/**
 * What breaks a rule of WCAG 2.2 (A and AA) or a best practice, by axe, and what the keyboard alone cannot use, one
 * sentence each. The page is at its widths afterwards, the narrow one last.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const faults: string[] = [];
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    // Elements that observe their size change one frame later.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const found = await violations(page);
    // A browser shows the focus of those who use the keyboard.
    await page.keyboard.press('Tab');
    found.push(...(await page.evaluate<string[]>(`${facts}.focus()`)));
    faults.push(...found.map((fault) => `${width} px, ${colorScheme}: ${fault}`));
  }
  return faults;
}

/** The same for one part of a page in a state that its script has made. */
export async function faultsWithin(page: Page, selector: string): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(source);
  return violations(page, selector);
}

async function violations(page: Page, selector = 'html'): Promise<string[]> {
  const results = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(selector)}, ${JSON.stringify(options)})`,
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}, ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
}
