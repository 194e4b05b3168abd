/** Code points of a key: bounds an entry of its index, since one character may become eighteen. */
const KEY_LENGTH_MAX = 64;

/**
 * The form in which symbols, names and searches are compared: without differences of case, width and style, and
 * with one space between words. Computed here and not by the database, whose locale may know ASCII alone.
 */
export function searchKey(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
  return [...plain].slice(0, KEY_LENGTH_MAX).join('').trimEnd();
}
