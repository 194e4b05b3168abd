import { appendFileSync } from 'node:fs';

/** The variable that names the file in which the copy records the blocks that it executes. Child processes inherit it. */
export const HITS_FILE = 'LAUNCHWIRE_MUTATION_HITS';

/** A function that records that a block of the file was executed: at once, because tests kill processes. */
export function recorderOf(file: string): (block: number) => void {
  const hitsFile = process.env[HITS_FILE];
  if (hitsFile === undefined) return () => {};
  const seen = new Set<number>();
  const record = (block: number) => {
    if (seen.has(block)) return;
    seen.add(block);
    appendFileSync(hitsFile, `${file}:${block}\n`);
  };
  record(0);
  return record;
}

/** The blocks by file, from what recorders wrote. */
export function readHits(text: string): Map<string, Set<number>> {
  const hits = new Map<string, Set<number>>();
  for (const line of text.split('\n')) {
    const colon = line.lastIndexOf(':');
    if (colon < 0) continue;
    const file = line.slice(0, colon);
    const blocks = hits.get(file) ?? new Set();
    hits.set(file, blocks.add(Number(line.slice(colon + 1))));
  }
  return hits;
}
