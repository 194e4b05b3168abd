/**
 * What a terminal obeys instead of showing it (control characters), what turns the direction of a line or cannot be
 * seen (format characters: marks of direction, joiners, tags), and other ends of a line.
 */
const COMMANDS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same without the control characters that JSON has escaped, and its own ends of a line. */
const COMMANDS_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of others for one line of a terminal: what would steer it is shown as what it is. */
export function visible(text: string): string {
  return text.replace(COMMANDS, escaped);
}

/** As above, for each line of a text. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** JSON of the same value that holds none of them. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(COMMANDS_IN_JSON, escaped);
}

/** As JSON writes a character: by its units of UTF-16. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
