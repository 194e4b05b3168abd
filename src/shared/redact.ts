/** What is written instead of a secret. */
const CENSOR = '[redacted]';
/** A shorter value would also cut ordinary words out of the log. */
const SECRET_LENGTH_MIN = 8;

/**
 * Credentials that are recognised by their form, wherever they stand. Every pattern is linear: one that begins with what
 * may repeat, such as the scheme of a URL, is tried again from each character (15 KB of `a` took 250 ms).
 */
const FORMS: readonly { hint: string; pattern: RegExp; censored: string }[] = [
  { hint: 'lw_', pattern: /lw_(?:live|test)_\w+/g, censored: `lw_${CENSOR}` },
  { hint: 'lws_', pattern: /lws_\w+/g, censored: `lws_${CENSOR}` },
  { hint: 'whsec_', pattern: /whsec_[\w+/=-]+/g, censored: `whsec_${CENSOR}` },
  { hint: 'earer', pattern: /\b([Bb]earer)\s+[^\s"'\\,]+/g, censored: `$1 ${CENSOR}` },
];

/** User information, then path, then query of a URL. Takes a whole URL, so that none of it is read twice. */
const URL_PARTS = /:\/\/([^\s/?#"'\\]*@)?([^\s?#"'\\]*)(\?[^\s"'\\]*)?/g;

/** Cuts credentials of a known form out of a text: API keys, webhook secrets, user names and queries of URLs. */
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

/** At most this much of a path is logged or sent back: a client may make it as long as it likes. */
const PATH_LENGTH_MAX = 512;

/** The beginning of a path as a client sent it, without credentials, also where they are percent-encoded. */
export function redactPath(path: string): string {
  if (path.length <= PATH_LENGTH_MAX) return redactEncoded(path, '');
  // What may be a user name, cut off before the `@` that would show it, is taken for one.
  const beginning = path.slice(0, PATH_LENGTH_MAX).replace(/%[0-9a-f]?$/i, '');
  return redactEncoded(beginning, '@').slice(0, PATH_LENGTH_MAX);
}

/** @param end what is thought to follow the path. */
function redactEncoded(path: string, end: string): string {
  const decoded = path.includes('%') ? decodeLeniently(path) : path;
  const redacted = redactForms(decoded + end);
  return redacted === decoded + end ? path : redacted;
}

/** As `redactForms`, and cuts out `secrets` as they are, encoded for JSON and encoded for URLs. */
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
 * What must not be shown of a variable's value. Of a URL: the password, a user name without one (a token), and each part
 * of the path and query that may be a key; else the whole value. Parts that also name something harmless stay.
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

/** As `decodeURIComponent`, and of a text that it refuses at least the ASCII characters. */
function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}
