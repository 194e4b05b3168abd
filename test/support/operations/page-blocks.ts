import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dir, '..', '..', '..', 'docs', 'operations');

export const operationsPages = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .sort();

export interface PageBlock {
  page: string;
  /** The nearest heading above. */
  heading: string;
  language: string;
  /** The reason why no test can run the block; undefined when tests run it. */
  byHand: string | undefined;
  code: string;
}

/** A code fence. Its language may be followed by `by-hand` with the reason why only a reader can run it. */
const FENCE = /^```(\w+)(?: by-hand \(([^)]{10,})\))?\n([\s\S]*?)^```$/gm;

/** The blocks of a page in order. Throws where a fence has another form, because nobody would run or check it. */
export function blocksOf(page: string): PageBlock[] {
  const text = readFileSync(join(FOLDER, page), 'utf8');
  const found = [...text.matchAll(FENCE)];
  const fences = text.match(/^\s*(?:```|~~~)/gm)?.length ?? 0;
  if (found.length * 2 !== fences)
    throw new Error(
      `${page} has a block without a language, indented, or with more after its language than by-hand (why)`,
    );
  return found.map(({ 1: language = '', 2: byHand, 3: code = '', index }) => ({
    page,
    heading: headingAbove(text, index),
    language,
    byHand,
    code,
  }));
}

function headingAbove(text: string, index: number): string {
  // A comment of a shell block looks like a heading.
  const prose = text.slice(0, index).replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].at(-1)?.[1] ?? '';
}
