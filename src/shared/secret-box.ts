import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals secrets at rest with AES-256-GCM under `SECRET_KEY` (contract/webhooks#secrets). */
export interface SecretBox {
  /** `context` names the row and column and is authenticated, so a ciphertext moved elsewhere does not open. */
  seal(plaintext: Uint8Array, context: string): Uint8Array;
  /** Throws NotOpened when the ciphertext was altered, moved, or sealed under an unknown key. */
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** Returns the secret sealed under the newest key; null when it already is. Throws NotOpened. */
  reseal(sealed: Uint8Array, context: string): Uint8Array | null;
}

/** No known key opens a sealed secret: an operator's mistake, or altered bytes. */
export class NotOpened extends Error {
  override readonly name = 'NotOpened';

  constructor() {
    super('neither SECRET_KEY nor SECRET_KEY_PREVIOUS opens a sealed secret');
  }
}

/** The key that seals and signs, and its predecessors, which still open and verify. */
export interface SecretKeys {
  secretKey: Uint8Array;
  secretKeyPrevious: readonly Uint8Array[];
}

/**
 * @param secretKey the 32 bytes of `SECRET_KEY`; the sealing key is derived from it, never the key itself.
 * @param previous keys that are tried next, in this order: the tag shows which key sealed a ciphertext, so
 * none names its key.
 */
export function createSecretBox(secretKey: Uint8Array, previous: readonly Uint8Array[] = []): SecretBox {
  const key = deriveKey(secretKey, PURPOSE);
  const previousKeys = previous.map((one) => deriveKey(one, PURPOSE));
  const box: SecretBox = {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([Uint8Array.of(VERSION), nonce, body, cipher.getAuthTag()]);
    },
    open(sealed, context) {
      for (const candidate of [key, ...previousKeys]) {
        const opened = openWith(candidate, sealed, context);
        if (opened !== null) return opened;
      }
      throw new NotOpened();
    },
    reseal(sealed, context) {
      return openWith(key, sealed, context) === null ? box.seal(box.open(sealed, context), context) : null;
    },
  };
  return box;
}

const PURPOSE = 'launchwire/secret-box';

/** Returns null when another key sealed it. */
function openWith(key: Uint8Array, sealed: Uint8Array, context: string): Uint8Array | null {
  if (sealed[0] !== VERSION || sealed.byteLength < 1 + NONCE_BYTES + TAG_BYTES) return null;
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const tag = sealed.subarray(sealed.byteLength - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
  const body = decipher.update(sealed.subarray(1 + NONCE_BYTES, sealed.byteLength - TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]);
  } catch {
    // Only this error shows that the tag does not match; no plaintext leaves this function then.
    return null;
  }
}

/** Purpose of the key that signs links to result files, unless a key of its own is configured. */
export const RESULT_KEY_PURPOSE = 'launchwire/operation-result';
/** Purpose of the key that seals signed orders, unless a key of its own is configured. */
export const ORDER_KEY_PURPOSE = 'launchwire/orders';

/** Derives a 32-byte key for one purpose from `SECRET_KEY` with HKDF-SHA256 (RFC 5869). */
export function deriveKey(secretKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, new Uint8Array(0), purpose, 32));
}

/** Derives the keys for one purpose, the newest first: that one signs, all of them verify. */
export function deriveKeys(
  { secretKey, secretKeyPrevious }: SecretKeys,
  purpose: string,
): [Uint8Array, ...Uint8Array[]] {
  return [deriveKey(secretKey, purpose), ...secretKeyPrevious.map((key) => deriveKey(key, purpose))];
}
