/** Scripts whose characters take two columns of a terminal: East Asian ones and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;
const NARROW = /^[\u0020-\u007e]*$/;
const segmenter = new Intl.Segmenter();

/** Splits a text into what a reader takes for characters. */
export function characters(text: string): string[] {
  return NARROW.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The columns of a terminal that a visible text takes. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  return characters(text).reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}
