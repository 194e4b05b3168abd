/** A strong ETag: equal exactly when the bytes are equal (128 bits of SHA-256). */
export function strongTag(text: string): string {
  return `"${new Bun.CryptoHasher('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** `If-None-Match` against the current ETag: `*`, lists and weak forms match (RFC 9110 section 13.1.2). */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
