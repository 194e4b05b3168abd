import { decodeBase64, encodeBase64 } from '../base64.ts';
import type { KeyTexts } from './public-keys.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

const SECRET_PREFIX = 'whsec_';
const PUBLIC_KEY_PREFIX = 'whpk_';
const SECRET_BYTES_MIN = 24;
const SECRET_BYTES_MAX = 64;
const PUBLIC_KEY_BYTES = 32;

/** The bytes of `whsec_` secrets, each base64 of 24 to 64 bytes. Throws a TypeError that never shows the secret. */
export function secretsIn(texts: KeyTexts): Bytes[] {
  return partsOf(texts).map((text) => {
    const bytes = keyBytes(text, SECRET_PREFIX);
    if (bytes === undefined || bytes.length < SECRET_BYTES_MIN || bytes.length > SECRET_BYTES_MAX) {
      throw new TypeError('a webhook secret is whsec_ and the base64 of 24 to 64 bytes');
    }
    return bytes;
  });
}

/** The bytes of `whpk_` keys, each base64 of 32 bytes. Throws a TypeError. */
export function publicKeysIn(texts: KeyTexts): Bytes[] {
  return partsOf(texts).map((text) => {
    const bytes = keyBytes(text, PUBLIC_KEY_PREFIX);
    if (bytes?.length !== PUBLIC_KEY_BYTES) {
      throw new TypeError('a webhook public key is whpk_ and the base64 of 32 bytes');
    }
    return bytes;
  });
}

export async function hmacKey(secret: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

export async function ed25519Key(publicKey: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
}

/** The signed bytes: `id.timestamp.body`. */
export function signedContent(id: string, timestamp: string, body: Uint8Array): Bytes {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

/** Bytes of base64 in its one canonical form; undefined for anything else. */
export function canonicalBase64(text: string): Bytes | undefined {
  try {
    const bytes = decodeBase64(text);
    return encodeBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** A value that is no text, such as an unset variable in a list, stays a part, so that it is refused. */
function partsOf(texts: KeyTexts): string[] {
  return [texts]
    .flat()
    .flatMap((text) => (typeof text === 'string' ? text.split(/\s+/).filter(Boolean) : text));
}

function keyBytes(text: unknown, prefix: string): Bytes | undefined {
  if (typeof text !== 'string') return undefined;
  return text.startsWith(prefix) ? canonicalBase64(text.slice(prefix.length)) : undefined;
}
