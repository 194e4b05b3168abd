/** Returns the candidate with the fewest insertions, deletions and replacements. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    // No text is nearer than the lengths differ.
    if (best !== undefined && Math.abs(text.length - candidate.length) >= best.distance) continue;
    const distance = editDistance(text, candidate);
    if (best === undefined || distance < best.distance) best = { candidate, distance };
  }
  return best?.candidate;
}

/**
 * Returns the only candidate that contains the text, else the nearest one if at most a third of its letters
 * differ.
 */
export function meant(text: string, candidates: readonly string[]): string | undefined {
  const [whole, ...others] = candidates.filter((one) => text.length > 2 && one.includes(text));
  if (whole !== undefined && others.length === 0) return whole;
  const best = nearest(text, candidates);
  if (best === undefined) return undefined;
  return editDistance(text, best) <= Math.max(1, best.length / 3) ? best : undefined;
}

/**
 * Counts the insertions, deletions and replacements between two texts (Levenshtein), row by row of the usual
 * table.
 */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [fromAt, character] of [...from].entries()) {
    const next = [fromAt + 1];
    for (let at = 0; at < to.length; at += 1) {
      const replaced = (row[at] ?? 0) + (character === to[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
