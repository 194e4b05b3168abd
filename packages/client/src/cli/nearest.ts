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

/** Levenshtein distance. What is typed is short: the first 40 characters count. */
function distanceOf(typed: string, name: string): number {
  let previous = Array.from({ length: name.length + 1 }, (_, index) => index);
  for (const [row, character] of [...typed.slice(0, 40)].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= name.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (name[column - 1] === character ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[name.length] ?? 0;
}
