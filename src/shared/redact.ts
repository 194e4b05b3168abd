/** What is written instead of a secret. */
const CENSOR = '[redacted]';
/** A shorter value would also cut ordinary words out of the log. */
const SECRET_LENGTH_MIN = 8;

/** Credentials that are recognised by their form, wherever they stand. */
const FORMS: readonly { hint: string; pattern: RegExp; censored: string }[] = [
  { hint: 'lw_', pattern: /lw_(?:live|test)_\w+/g, censored: `lw_${CENSOR}` },
  { hint: 'whsec_', pattern: /whsec_[\w+/=-]+/g, censored: `whsec_${CENSOR}` },
  { hint: 'earer', pattern: /\b([Bb]earer)\s+[^\s"'\\,]+/g, censored: `$1 ${CENSOR}` },
  { hint: '@', pattern: /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'\\]*@/gi, censored: `$1${CENSOR}@` },
  { hint: '?', pattern: /([a-z][a-z0-9+.-]*:\/\/[^\s?#"'\\]*)\?[^\s"'\\]*/gi, censored: `$1?${CENSOR}` },
];

/** Cuts credentials of a known form out of a text: API keys, webhook secrets, user names and queries of URLs. */
export function redactForms(text: string): string {
  let redacted = text;
  for (const { hint, pattern, censored } of FORMS) {
    if (redacted.includes(hint)) redacted = redacted.replace(pattern, censored);
  }
  return redacted;
}

/** A path as a client sent it, without credentials, also where they are percent-encoded. */
export function redactPath(path: string): string {
  if (!path.includes('%')) return redactForms(path);
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    decoded = path.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  const redacted = redactForms(decoded);
  return redacted === decoded ? path : redacted;
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

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
