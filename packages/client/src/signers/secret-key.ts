import { decodeBase58, encodeBase58 } from '../base58.ts';
import type { TransactionSigner } from './signer.ts';
import { readWireTransaction, withSignature } from './wire-transaction.ts';

/** PKCS #8 of an Ed25519 key up to its seed. */
const PKCS8_PREFIX = [
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/** The used part of `Keypair` of web3.js 1.x. */
interface KeypairLike {
  readonly secretKey: Uint8Array;
}

/**
 * Signs with a secret key of 64 bytes (seed and public key): as base58, as the text or the numbers of a `solana-keygen`
 * file, as bytes, or a `Keypair` of web3.js 1.x. Uses Web Crypto alone.
 */
export async function secretKeySigner(
  secretKey: string | Uint8Array | readonly number[] | KeypairLike,
): Promise<TransactionSigner> {
  const bytes = bytesOf(secretKey);
  if (bytes.length !== 64)
    throw new TypeError('a secret key has 64 bytes: 32 of the seed, 32 of the public key');
  const seed = Uint8Array.from([...PKCS8_PREFIX, ...bytes.subarray(0, 32)]);
  const privateKey = await crypto.subtle.importKey('pkcs8', seed, 'Ed25519', false, ['sign']);
  const publicKey = await crypto.subtle.importKey('raw', bytes.slice(32), 'Ed25519', false, ['verify']);
  await refuseMismatch(privateKey, publicKey);
  const address = encodeBase58(bytes.subarray(32));
  return {
    address,
    async signTransaction(transaction) {
      const { message } = readWireTransaction(transaction);
      const signature = await crypto.subtle.sign('Ed25519', privateKey, message);
      return withSignature(transaction, address, new Uint8Array(signature));
    },
  };
}

/** A key whose halves do not belong together would make invalid signatures. */
async function refuseMismatch(privateKey: CryptoKey, publicKey: CryptoKey): Promise<void> {
  const probe = new Uint8Array(1);
  const signature = await crypto.subtle.sign('Ed25519', privateKey, probe);
  const isPair = await crypto.subtle.verify('Ed25519', publicKey, signature, probe);
  if (!isPair) throw new TypeError('the public key of this secret key is not that of its seed');
}

function bytesOf(secretKey: string | Uint8Array | readonly number[] | KeypairLike): Uint8Array<ArrayBuffer> {
  if (typeof secretKey === 'string') return bytesOfText(secretKey.trim());
  if ('secretKey' in secretKey) return Uint8Array.from(secretKey.secretKey);
  return Uint8Array.from(secretKey);
}

/** Base58, or the content of a key file of `solana-keygen`. Its error does not show the text. */
function bytesOfText(text: string): Uint8Array<ArrayBuffer> {
  if (!text.startsWith('[')) return decodeBase58(text);
  try {
    return Uint8Array.from(JSON.parse(text) as number[]);
  } catch {
    throw new TypeError('a key file of solana-keygen is a list of 64 numbers');
  }
}
