/**
 * Characters that a terminal does not show: control characters, which it obeys, format characters (marks of
 * direction, joiners, tags), and unusual line ends.
 */
const COMMANDS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same without the control characters that JSON escapes, and its own line ends. */
const COMMANDS_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes foreign text safe for one line of a terminal: control and format characters are shown as escapes. */
export function visible(text: string): string {
  return text.replace(COMMANDS, escaped);
}

/** As `visible`, for each line of a text. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** Returns JSON of the same value without such characters. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(COMMANDS_IN_JSON, escaped);
}

/** Escapes a character for JSON by its UTF-16 units. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
