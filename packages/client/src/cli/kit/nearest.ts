/** The only name that contains the typed text, or else the nearest one if at most a third of its letters differ. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const [whole, ...others] = names.filter((name) => isPart(typed, name));
  if (whole !== undefined && others.length === 0) return whole;
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(typed, name) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.name.length / 3))
    ? best.name
    : undefined;
}

/** Sorts all names: those that contain the text come first, then by common words, then by letters. */
export function nearestFirst(typed: string, names: readonly string[]): string[] {
  const words = new Set(wordsOf(typed));
  const ranked = names.map((name) => ({
    name,
    isPart: isPart(typed, name),
    commonWords: wordsOf(name).filter((word) => words.has(word)).length,
    distance: distanceOf(typed, name),
  }));
  ranked.sort(
    (left, right) =>
      Number(right.isPart) - Number(left.isPart) ||
      right.commonWords - left.commonWords ||
      left.distance - right.distance,
  );
  return ranked.map(({ name }) => name);
}

/** The question of an error message about a name that is nearly right. */
export function question(guess: string | undefined): string {
  return guess === undefined ? '' : `; did you mean ${guess}?`;
}

const isPart = (typed: string, name: string) => typed.length > 2 && name.includes(typed);
const wordsOf = (name: string) => name.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/**
 * Levenshtein distance in which two swapped neighbours count as one change. Only the first 40 typed characters count.
 */
function distanceOf(typed: string, name: string): number {
  const characters = [...typed.slice(0, 40)];
  let before: number[] = [];
  let previous = Array.from({ length: name.length + 1 }, (_, index) => index);
  for (const [row, character] of characters.entries()) {
    const current = [row + 1];
    for (let column = 1; column <= name.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (name[column - 1] === character ? 0 : 1);
      const steps = [replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1];
      const isSwapped = name[column - 2] === character && name[column - 1] === characters[row - 1];
      if (row > 0 && column > 1 && isSwapped) steps.push((before[column - 2] ?? 0) + 1);
      current.push(Math.min(...steps));
    }
    before = previous;
    previous = current;
  }
  return previous[name.length] ?? 0;
}
