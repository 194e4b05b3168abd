import { hash, randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_ID_LENGTH = 16;
/** 43 characters of base62 hold 256 bits. */
const SECRET_LENGTH = 43;

const AUTHORIZATION = /^[Bb][Ee][Aa][Rr][Ee][Rr] +lw_(live|test)_([0-9A-Za-z]{16})_([0-9A-Za-z]{43})$/;

export interface PresentedKey {
  environment: 'live' | 'test';
  keyId: string;
  secret: string;
}

/**
 * Reads `Authorization: Bearer lw_<environment>_<keyId>_<secret>` (contract/authentication#api-keys); null
 * for any other text.
 */
export function parseApiKey(authorization: string): PresentedKey | null {
  const [, environment, keyId, secret] = AUTHORIZATION.exec(authorization) ?? [];
  if ((environment !== 'live' && environment !== 'test') || !keyId || !secret) return null;
  return { environment, keyId, secret };
}

const SERVICE_AUTHORIZATION = /^[Bb][Ee][Aa][Rr][Ee][Rr] +lws_([0-9A-Za-z]{16})_([0-9A-Za-z]{43})$/;

/**
 * Reads `Authorization: Bearer lws_<keyId>_<secret>` (contract/internal-api#service-keys); null for any other
 * text. A service key belongs to its deployment and gets its environment.
 */
export function parseServiceKey(
  authorization: string,
  environment: PresentedKey['environment'],
): PresentedKey | null {
  const [, keyId, secret] = SERVICE_AUTHORIZATION.exec(authorization) ?? [];
  return keyId && secret ? { environment, keyId, secret } : null;
}

/** What is stored of a secret, the same for both kinds of keys (contract/authentication#api-keys): 32 bytes. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Generates a key: its parts, and the text that its owner sees once. */
export function generateApiKey(environment: 'live' | 'test'): PresentedKey & { text: string } {
  const { keyId, secret } = randomParts();
  return { environment, keyId, secret, text: `lw_${environment}_${keyId}_${secret}` };
}

/** Generates a key of the internal API. */
export function generateServiceKey(): { keyId: string; secret: string; text: string } {
  const { keyId, secret } = randomParts();
  return { keyId, secret, text: `lws_${keyId}_${secret}` };
}

function randomParts(): { keyId: string; secret: string } {
  return { keyId: randomBase62(KEY_ID_LENGTH), secret: randomBase62(SECRET_LENGTH) };
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}
