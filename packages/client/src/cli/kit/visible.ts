/**
 * Characters that a terminal does not show: control characters, which it obeys, format characters (marks of
 * direction, joiners, tags), and unusual line ends.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same except the control characters that JSON escapes, and its own line ends. */
const HIDDEN_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes foreign text safe for one line of a terminal: hidden characters become escapes. */
export function visible(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

/** Makes each line of a text safe for a terminal. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** Returns JSON of the same value without hidden characters. */
export function visibleJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(HIDDEN_IN_JSON, escapeCharacter);
}

/** Escapes a character as JSON does, by its UTF-16 units. */
function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
