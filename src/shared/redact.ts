/** Replaces a secret. */
export const CENSOR = '[redacted]';
/** Names of fields whose values are secrets, whatever their form. */
export const SECRET_FIELDS: readonly string[] = ['authorization', 'secret', 'apiKey'];
/** A shorter value would also remove ordinary words from the log. */
const SECRET_LENGTH_MIN = 8;

/**
 * Credentials that are recognised by their form, anywhere in a text. Every pattern is linear: one that begins
 * with a repetition, such as the scheme of a URL, is tried again from each character (15 KB of `a` took 250
 * ms).
 */
const FORMS: readonly { hint: string; pattern: RegExp; censored: string }[] = [
  { hint: 'lw_', pattern: /lw_(?:live|test)_\w+/g, censored: `lw_${CENSOR}` },
  { hint: 'lws_', pattern: /lws_\w+/g, censored: `lws_${CENSOR}` },
  { hint: 'whsec_', pattern: /whsec_[\w+/=-]+/g, censored: `whsec_${CENSOR}` },
  { hint: 'earer', pattern: /\b([Bb]earer)\s+[^\s"'\\,]+/g, censored: `$1 ${CENSOR}` },
];

/**
 * User information, then path, then query of a URL. It matches a whole URL, so that no part is read twice.
 */
const URL_PARTS = /:\/\/([^\s/?#"'\\]*@)?([^\s?#"'\\]*)(\?[^\s"'\\]*)?/g;

/**
 * Removes credentials of a known form from a text: API keys, webhook secrets, user names and queries of URLs.
 */
export function redactForms(text: string): string {
  let redacted = text;
  for (const { hint, pattern, censored } of FORMS) {
    if (redacted.includes(hint)) redacted = redacted.replace(pattern, censored);
  }
  return redacted.includes('://') ? redacted.replace(URL_PARTS, redactUrl) : redacted;
}

function redactUrl(url: string, userInfo?: string, path?: string, query?: string): string {
  if (userInfo === undefined && query === undefined) return url;
  const user = userInfo === undefined ? '' : `${CENSOR}@`;
  return `://${user}${path ?? ''}${query === undefined ? '' : `?${CENSOR}`}`;
}

/** Largest part of a path that is logged or sent back: a client may send a path of any length. */
const PATH_LENGTH_MAX = 512;

/** The beginning of a path as a client sent it, without credentials, also where they are percent-encoded. */
export function redactPath(path: string): string {
  if (path.length <= PATH_LENGTH_MAX) return redactEncoded(path, '');
  // The cut may remove the `@` that marks a user name, so a possible user name at the end counts as one.
  const beginning = path.slice(0, PATH_LENGTH_MAX).replace(/%[0-9a-f]?$/i, '');
  return redactEncoded(beginning, '@').slice(0, PATH_LENGTH_MAX);
}

/** @param end text that is assumed to follow the path */
function redactEncoded(path: string, end: string): string {
  const decoded = path.includes('%') ? decodeLeniently(path) : path;
  const redacted = redactForms(decoded + end);
  return redacted === decoded + end ? path : redacted;
}

/**
 * The fields of a log line without those secrets that are one object deep. Returns the same object when there are none,
 * as in nearly every line.
 */
export function censorFields(fields: Record<string, unknown>): Record<string, unknown> {
  let censored = fields;
  for (const name in fields) {
    const value = fields[name];
    // The log has a list of allowed properties of an error.
    if (typeof value !== 'object' || value === null || name === 'err') continue;
    for (const secret of SECRET_FIELDS) {
      if (!(secret in value)) continue;
      if (censored === fields) censored = { ...fields };
      censored[name] = { ...(censored[name] as object), [secret]: CENSOR };
    }
  }
  return censored;
}

/** As `redactForms`, and also removes `secrets` in their plain, JSON-encoded and URL-encoded forms. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const spellings = [
    ...new Set(
      secrets
        .filter((secret) => secret.length >= SECRET_LENGTH_MIN)
        .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
    ),
  ].sort((one, other) => other.length - one.length);
  return (text) => {
    let redacted = text;
    for (const spelling of spellings) {
      if (redacted.includes(spelling)) redacted = redacted.replaceAll(spelling, CENSOR);
    }
    return redactForms(redacted);
  };
}

/**
 * Lists the secret parts of a variable's value. For a URL: the password, a user name without one (a token),
 * and each part of the path and query that may be a key; otherwise the whole value. Parts that also name
 * something harmless are left out.
 */
export function secretParts(value: string): string[] {
  return value.split(',').flatMap((part) => {
    const text = part.trim();
    return URL.canParse(text) && text.includes('://') ? urlSecrets(new URL(text)) : [text];
  });
}

function urlSecrets({ username, password, host, pathname, searchParams }: URL): string[] {
  const harmless = `${host}${password === '' ? '' : ` ${username}`}`;
  const candidates = [
    password === '' ? username : password,
    ...pathname.split('/').filter((segment) => segment.length >= 2 * SECRET_LENGTH_MIN),
    ...searchParams.values(),
  ];
  const decoded = candidates.flatMap((candidate) => [candidate, decodeLeniently(candidate)]);
  return [...new Set(decoded)].filter((secret) => secret !== '' && !harmless.includes(secret));
}

/** As `decodeURIComponent`; decodes at least the ASCII characters of a text that it refuses. */
function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}
