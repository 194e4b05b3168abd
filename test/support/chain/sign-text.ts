import { createPrivateKey, sign } from 'node:crypto';
import type { Keypair } from '@solana/web3.js';

/** PKCS #8 prefix of an Ed25519 private key (RFC 8410): the 32 bytes of the seed follow. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A wallet's signature of a text, like one made in a browser. */
export function signText(text: string, wallet: Keypair): Uint8Array {
  return signMessage(Buffer.from(text, 'utf8'), wallet);
}

/** A wallet's signature of a transaction's message. */
export function signMessage(message: Uint8Array, { secretKey }: Keypair): Uint8Array {
  const der = Buffer.concat([PKCS8_PREFIX, secretKey.subarray(0, 32)]);
  return sign(null, message, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
}
