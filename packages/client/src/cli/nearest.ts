/** The name that differs least from what was typed, if it is near enough to be meant. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(typed, name) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.name.length / 3))
    ? best.name
    : undefined;
}

/** What an error asks where a name was nearly right. */
export function question(guess: string | undefined): string {
  return guess === undefined ? '' : `; did you mean ${guess}?`;
}

/** Levenshtein distance, in which two neighbours that changed places are one. The first 40 characters of what is typed count. */
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
