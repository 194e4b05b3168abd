import { readFileSync } from 'node:fs';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

const facts = readFileSync(new URL('page-facts.js', import.meta.url), 'utf8');

export const widths = [390, 1280, 1920] as const;
export const themes = ['light', 'dark'] as const;

/** What a reader would complain about in this page at each width and in each theme; empty when there is nothing. */
export async function lookAt(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate<string[]>(facts);
      complaints.push(...found.map((complaint) => `${width} px, ${colorScheme}: ${complaint}`));
    }
  }
  return complaints;
}

/** A picture of what is in the window. */
export async function pictureOf(page: Page): Promise<PNG> {
  return PNG.sync.read(await page.screenshot({ animations: 'disabled' }));
}

/** How many points of two pictures differ, by more than the smoothing of an edge. */
export function differingPoints(one: PNG, other: PNG): number {
  if (one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY;
  return pixelmatch(one.data, other.data, undefined, one.width, one.height, { threshold: 0.1 });
}
