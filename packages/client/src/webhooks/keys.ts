import { decodeBase64, encodeBase64 } from '../base64.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const SECRET_PREFIX = 'whsec_';
const PUBLIC_KEY_PREFIX = 'whpk_';
const SECRET_BYTES_MIN = 24;
const SECRET_BYTES_MAX = 64;
const PUBLIC_KEY_BYTES = 32;

/** The HMAC key of a secret, `whsec_` and base64 of 24 to 64 bytes. Its errors never show the secret. */
export async function hmacKey(secret: string): Promise<CryptoKey> {
  const bytes = keyBytes(secret, SECRET_PREFIX);
  if (bytes === undefined || bytes.length < SECRET_BYTES_MIN || bytes.length > SECRET_BYTES_MAX) {
    throw new TypeError('a webhook secret is whsec_ and the base64 of 24 to 64 bytes');
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/** The Ed25519 key of `whpk_` and base64 of 32 bytes. */
export async function ed25519Key(publicKey: string): Promise<CryptoKey> {
  const bytes = keyBytes(publicKey, PUBLIC_KEY_PREFIX);
  if (bytes?.length !== PUBLIC_KEY_BYTES) {
    throw new TypeError('a webhook public key is whpk_ and the base64 of 32 bytes');
  }
  return crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);
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

function keyBytes(text: string, prefix: string): Bytes | undefined {
  return text.startsWith(prefix) ? canonicalBase64(text.slice(prefix.length)) : undefined;
}
