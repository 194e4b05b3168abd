import { createPrivateKey, type KeyObject } from 'node:crypto';

// PKCS #8 prefix of an Ed25519 private key (RFC 8410 section 7): the 32-byte seed follows.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Builds the private key of a 32-byte seed for `sign` of node:crypto. */
export function ed25519PrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}
