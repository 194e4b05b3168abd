import { readFileSync } from 'node:fs';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

export const facts = readFileSync(new URL('page-facts.js', import.meta.url), 'utf8')
  .trim()
  .replace(/;$/, '');

export const widths = [390, 1280, 1920] as const;
export const themes = ['light', 'dark'] as const;

/** Visible faults at each width and in each theme; themes differ only in colours. */
export async function lookAt(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    // Elements that observe their size change one frame later.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const layout = await page.evaluate<string[]>(`${facts}.layout()`);
    complaints.push(...layout.map((complaint) => `${width} px: ${complaint}`));
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      const colours = await page.evaluate<string[]>(`${facts}.colours()`);
      complaints.push(...colours.map((complaint) => `${width} px, ${colorScheme}: ${complaint}`));
    }
  }
  return complaints;
}

/** A picture of the window. */
export async function pictureOf(page: Page): Promise<PNG> {
  return PNG.sync.read(await page.screenshot({ animations: 'disabled' }));
}

/** The number of pixels that differ by more than the smoothing of an edge. */
export function differingPoints(one: PNG, other: PNG): number {
  if (one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY;
  return pixelmatch(one.data, other.data, undefined, one.width, one.height, { threshold: 0.1 });
}
