import { generateKeyPairSync, sign } from 'node:crypto';
import { encodeAddress } from '../../shared/address.ts';
import { readTransaction } from '../transaction-reader.ts';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** A key pair for one signature, such as that of a new mint. Only this object holds its secret half. */
export interface ThrowawaySigner {
  address: string;
  /** The transaction with the signature in its slot. Throws when the address is not among its signers. */
  sign(transaction: Uint8Array): Uint8Array;
}

export function createThrowawaySigner(): ThrowawaySigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return {
    address: encodeAddress(key),
    sign(transaction) {
      const view = readTransaction(transaction);
      if (view === null) throw new Error('not a transaction that was compiled here');
      const { messageOffset, messageLength, keysOffset, signaturesOffset, signatureCount } = view;
      for (let slot = 0; slot < signatureCount; slot += 1) {
        const start = keysOffset + slot * KEY_BYTES;
        if (!key.equals(transaction.subarray(start, start + KEY_BYTES))) continue;
        const message = transaction.subarray(messageOffset, messageOffset + messageLength);
        const signed = Uint8Array.from(transaction);
        signed.set(sign(null, message, privateKey), signaturesOffset + slot * SIGNATURE_BYTES);
        return signed;
      }
      throw new Error('the key is not among the signers');
    },
  };
}
