import { BoundedMap } from './bounded-map.ts';

interface TextBounds {
  entriesMax: number;
  /** What `compute` makes of a longer text is not kept. */
  lengthMax: number;
}

/**
 * `compute` with its results remembered, and returned as the same object: the result must depend on the text alone, and
 * nobody may change it. An error is not remembered.
 */
export function rememberTexts<Value extends number | string | object | null>(
  compute: (text: string) => Value,
  { entriesMax, lengthMax }: TextBounds,
): (text: string) => Value {
  const remembered = new BoundedMap<string, Value>(entriesMax);
  return (text) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const value = compute(text);
    if (text.length <= lengthMax) remembered.set(text, value);
    return value;
  };
}
