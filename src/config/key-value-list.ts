/**
 * Pairs in the form of OpenTelemetry: `name=value,name=value`, with commas and other special characters
 * percent-encoded. The last of two alike counts.
 */
export function keyValueList(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const name = decode(pair.slice(0, Math.max(at, 0)));
      if (name === '') throw new Error(FORM);
      return [name, decode(pair.slice(at + 1))];
    }),
  );
}

const FORM = 'must be name=value pairs, separated by commas, with percent-encoded values';

function decode(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    throw new Error(FORM);
  }
}

/** As `keyValueList`, for headers of HTTP. */
export function headerList(text: string): Readonly<Record<string, string>> {
  const headers = keyValueList(text);
  try {
    new Headers(headers);
  } catch {
    throw new Error(`${FORM}, that HTTP allows as headers`);
  }
  return headers;
}

/** The values of the pairs, and the whole text where it has no such form: no part of it may be shown. */
export function secretValues(text: string): string[] {
  const raw = text.split(',').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  try {
    return [...raw, ...Object.values(keyValueList(text))];
  } catch {
    return [text, ...raw];
  }
}
