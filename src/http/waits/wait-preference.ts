import { unpublishedLimits } from '../../shared/contract-limits.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const SECONDS = /^\d{1,9}$/;

/**
 * Seconds of the preference `wait` in a `Prefer` header, at most 25; null when there is none to honour. A
 * malformed header is ignored, and only the first of several counts (RFC 7240 section 2).
 */
export function preferredWaitSeconds(header: string | null): number | null {
  if (header === null) return null;
  for (const preference of splitOutsideQuotes(header, ',')) {
    // Parameters of a preference follow a semicolon; `wait` has none.
    const [word = ''] = splitOutsideQuotes(preference, ';');
    const equals = word.indexOf('=');
    const name = (equals === -1 ? word : word.slice(0, equals)).trim();
    if (!TOKEN.test(name) || name.toLowerCase() !== 'wait') continue;
    const value = equals === -1 ? '' : unquoted(word.slice(equals + 1).trim());
    const seconds = SECONDS.test(value) ? Number(value) : 0;
    return seconds < 1 ? null : Math.min(seconds, unpublishedLimits.waitSeconds);
  }
  return null;
}

function unquoted(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** Splits a text at separators outside quoted strings. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\' && isQuoted) at += 1;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}
