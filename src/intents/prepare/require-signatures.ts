import { verifyStrict } from '../../chain/signature.ts';
import type { TransactionView } from '../../chain/transaction-reader.ts';
import { encodeAddress } from '../../shared/address.ts';
import { PreparationRefused } from './preparation.ts';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/**
 * Throws PreparationRefused unless every required signer except the expected one has signed
 * (contract/intents#other-signers): a submission adds only one signature, so no other can be added or
 * corrected later.
 * @param expectedOffset offset of the expected signer's signature
 */
export function requireOtherSignatures(
  bytes: Uint8Array,
  { signatureCount, signaturesOffset, keysOffset, messageOffset, messageLength }: TransactionView,
  expectedOffset: number,
): void {
  const message = bytes.subarray(messageOffset, messageOffset + messageLength);
  for (let slot = 0; slot < signatureCount; slot += 1) {
    const start = signaturesOffset + slot * SIGNATURE_BYTES;
    if (start === expectedOffset) continue;
    const signature = bytes.subarray(start, start + SIGNATURE_BYTES);
    const keyStart = keysOffset + slot * KEY_BYTES;
    const signer = encodeAddress(bytes.subarray(keyStart, keyStart + KEY_BYTES));
    if (signature.every((byte) => byte === 0))
      throw new PreparationRefused(
        `the signature of ${signer} is missing: a submission adds none but that of the expected signer`,
      );
    if (!verifyStrict(signer, message, signature))
      throw new PreparationRefused(`the signature of ${signer} does not verify`);
  }
}
