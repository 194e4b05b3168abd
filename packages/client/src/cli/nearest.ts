/** The name that is nearest to the typed one, if it is near enough. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(typed, name) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.name.length / 3))
    ? best.name
    : undefined;
}

/** The question of an error message about a name that is nearly right. */
export function question(guess: string | undefined): string {
  return guess === undefined ? '' : `; did you mean ${guess}?`;
}

/** Levenshtein distance in which two swapped neighbours count as one change. Only the first 40 typed characters count. */
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
