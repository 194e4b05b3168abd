import { publishedLimits } from '../../shared/contract-limits.ts';
import { Problem } from '../../shared/problem.ts';

const JSON_MEDIA_TYPE = /^application\/json[ \t]*(;.*)?$/i;
const { idempotencyKeyLengthMin, idempotencyKeyLengthMax } = publishedLimits;
const KEY_RULE = `${idempotencyKeyLengthMin} to ${idempotencyKeyLengthMax} printable ASCII characters`;
/** Printable ASCII; the length is checked separately. */
export const IDEMPOTENCY_KEY_CHARACTERS = /^[\x21-\x7e]+$/;
/** One strong ETag with a positive integer and no leading zero. */
const STRONG_VERSION = /^"([1-9]\d{0,18})"$/;
/**
 * A number of 64 bits is a version, though no record reaches it: it fails with 412, as any version that is
 * not current.
 */
const VERSION_MAX = 9_223_372_036_854_775_807n;

/**
 * Mutations with a body must send JSON; others accept an absent body and Content-Type
 * (contract/requests#content-type).
 */
export function requireJsonContentType(headers: Headers, hasBody: boolean): void {
  const contentType = headers.get('content-type');
  if (hasBody) requirePlainContent(headers);
  if (!hasBody && contentType === null) return;
  if (contentType === null || !JSON_MEDIA_TYPE.test(contentType))
    throw new Problem('unsupported_content_type');
}

/** Throws `unsupported_content_type` for a compressed body (contract/requests#content-encoding). */
export function requirePlainContent(headers: Headers): void {
  const encoding = headers.get('content-encoding');
  if (encoding === null || encoding.toLowerCase() === 'identity') return;
  const detail = 'Content-Encoding must be absent: bodies are taken as they are, not compressed.';
  throw new Problem('unsupported_content_type', { detail });
}

/** Returns the `Idempotency-Key`, or throws `idempotency_key_invalid`. */
export function requireIdempotencyKey(value: string | null): string {
  if (value === null || value === '')
    throw new Problem('idempotency_key_invalid', {
      detail: `Idempotency-Key is missing: every change needs one, of ${KEY_RULE}.`,
    });
  const hasLength = value.length >= idempotencyKeyLengthMin && value.length <= idempotencyKeyLengthMax;
  if (!hasLength || !IDEMPOTENCY_KEY_CHARACTERS.test(value)) throw new Problem('idempotency_key_invalid');
  return value;
}

/**
 * Returns the version in `If-Match` for comparison with a version of 31 bits: a number above 2^53 stays above
 * all of them. Throws `precondition_required` when absent, `precondition_invalid` when malformed.
 * @param path of the operation: its record is what the path names up to its first parameter
 */
export function requireVersion(ifMatch: string | null, path: string): number {
  if (ifMatch === null) {
    const parts = path.split('/');
    const at = parts.findIndex((part) => part.startsWith(':'));
    const record = `${parts.slice(0, at).join('/')}/{${parts[at]?.slice(1)}}`;
    const detail = `If-Match is missing: this change needs the version of its record, in quotes, e.g. "3": the ETag of GET ${record}, whose body has it in the field version.`;
    throw new Problem('precondition_required', { detail });
  }
  const [, version] = STRONG_VERSION.exec(ifMatch) ?? [];
  if (version === undefined || BigInt(version) > VERSION_MAX) throw new Problem('precondition_invalid');
  return Number(version);
}

export function versionTag(version: number): string {
  return `"${version}"`;
}
