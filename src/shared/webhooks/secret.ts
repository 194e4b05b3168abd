import { randomBytes } from 'node:crypto';
import { decodeCanonicalBase64 } from '../bytes.ts';
import type { SecretBox } from '../secret-box.ts';

const PREFIX = 'whsec_';
const KEY_BYTES = 32;
/** Standard Webhooks, "Symmetric": a key has 24 to 64 bytes. */
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;

/**
 * Generates an endpoint secret: `whsec_` + standard base64 of 32 random bytes (contract/webhooks#secrets).
 * The subscriber sees it once.
 */
export function generateWebhookSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64');
}

/** Returns the HMAC key in a `whsec_…` text. Throws for any other text; the message never repeats it. */
export function parseWebhookSecret(secret: string): Uint8Array {
  const key = secret.startsWith(PREFIX) ? decodeCanonicalBase64(secret.slice(PREFIX.length)) : null;
  if (key === null || key.byteLength < KEY_BYTES_MIN || key.byteLength > KEY_BYTES_MAX) {
    throw new Error('not a webhook secret');
  }
  return key;
}

/** Seals an endpoint's secret for `sealed_secret` and `sealed_previous_secret`; bound to the endpoint. */
export function sealWebhookSecret(box: SecretBox, endpointId: string, secret: string): Uint8Array {
  return box.seal(Buffer.from(secret), sealContext(endpointId));
}

/**
 * Returns the `whsec_…` text of a sealed secret. Throws when it belongs to another endpoint or `SECRET_KEY`.
 */
export function openWebhookSecret(box: SecretBox, endpointId: string, sealed: Uint8Array): string {
  return Buffer.from(box.open(sealed, sealContext(endpointId))).toString();
}

/** Returns the secret sealed under the newest key; null when it already is. Throws as `openWebhookSecret`. */
export function resealWebhookSecret(
  box: SecretBox,
  endpointId: string,
  sealed: Uint8Array,
): Uint8Array | null {
  return box.reseal(sealed, sealContext(endpointId));
}

function sealContext(endpointId: string): string {
  return `webhook-endpoint:${endpointId}`;
}
