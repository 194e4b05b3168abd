import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals secrets at rest with AES-256-GCM under `SECRET_KEY` (D13). */
export interface SecretBox {
  /** `context` names the row and column and is authenticated, so a ciphertext moved elsewhere does not open. */
  seal(plaintext: Uint8Array, context: string): Uint8Array;
  /** Throws when the ciphertext was altered, moved, or sealed under another key. */
  open(sealed: Uint8Array, context: string): Uint8Array;
}

/** @param secretKey the 32 bytes of `SECRET_KEY`; the sealing key is derived from it, never the key itself. */
export function createSecretBox(secretKey: Uint8Array): SecretBox {
  const key = deriveKey(secretKey, 'launchwire/secret-box');
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([Uint8Array.of(VERSION), nonce, body, cipher.getAuthTag()]);
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION || sealed.byteLength < 1 + NONCE_BYTES + TAG_BYTES) {
        throw new Error('not a sealed secret');
      }
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const tag = sealed.subarray(sealed.byteLength - TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      const body = sealed.subarray(1 + NONCE_BYTES, sealed.byteLength - TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]);
    },
  };
}

/** A 32-byte key for one purpose, derived from `SECRET_KEY` with HKDF-SHA256 (RFC 5869). */
export function deriveKey(secretKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, new Uint8Array(0), purpose, 32));
}

// PKCS #8 prefix of an Ed25519 private key (RFC 8410 section 7): the 32-byte seed follows.
const ED25519_PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The deployment's Ed25519 key that signs webhooks as `v1a` (D13). */
export function deriveWebhookSigningKey(secretKey: Uint8Array): KeyObject {
  const seed = deriveKey(secretKey, 'launchwire/webhook-ed25519');
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}
