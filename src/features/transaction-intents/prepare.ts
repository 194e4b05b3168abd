import bs58 from 'bs58';
import { isUsableWallet } from '../../chain/signature.ts';
import { readTransaction, type TransactionView } from '../../chain/transaction-reader.ts';
import type { Transaction } from '../../db/client.ts';
import type { IntentPolicy } from '../../db/schema/transaction-intents.ts';
import { decodeAddress } from '../../shared/address.ts';
import { equalBytes } from '../../shared/bytes.ts';
import type { Clock } from '../../shared/clock.ts';
import { policyViolation } from './policy.ts';
import type { IntentRow } from './record.ts';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** Nothing is restricted but the bytes themselves. */
export const openPolicy: IntentPolicy = {
  allowedPrograms: [],
  maxComputeUnitPrice: null,
  requireSimulation: false,
};

/** An unsigned transaction that waits for a wallet (D11). */
export interface Preparation {
  accountId: string;
  /** What it does: lowercase letters, digits, underscores. */
  kind: string;
  expectedSigner: string;
  /** Wire bytes; slots of other signers may be filled, the expected signer's must be zero. */
  transaction: Uint8Array;
  policy: IntentPolicy;
  lastValidBlockHeight: bigint | null;
  expiresInMs: number;
}

/** Why a transaction cannot become an intent: it could not be submitted later. */
export class PreparationRefused extends Error {
  override readonly name = 'PreparationRefused';
}

/** Stores a prepared intent. Throws PreparationRefused with the reason. */
export async function prepareIntent(
  transaction: Transaction,
  preparation: Preparation,
  clock: Clock,
): Promise<IntentRow> {
  const { accountId, kind, expectedSigner, policy, lastValidBlockHeight, expiresInMs } = preparation;
  const bytes = preparation.transaction;
  if (!/^[a-z][a-z0-9_]*$/.test(kind))
    throw new PreparationRefused(`kind ${kind} is not a lowercase identifier`);
  const view = readTransaction(bytes);
  if (view === null) throw new PreparationRefused('the transaction is malformed or too large');
  const signatureOffset = findSignatureSlot(bytes, view, expectedSigner);
  const violation = policyViolation(bytes, policy);
  if (violation !== null) throw new PreparationRefused(violation);

  const now = clock.now();
  const blockhash = bs58.encode(bytes.subarray(view.blockhashOffset, view.blockhashOffset + KEY_BYTES));
  const [row] = await transaction<IntentRow[]>`
    insert into transaction_intents
      (id, account_id, kind, status, expected_signer, prepared_transaction, signature_offset, recent_blockhash,
       last_valid_block_height, policy, version, expires_at, created_at)
    select ${Bun.randomUUIDv7()}, id, ${kind}, 'prepared', ${expectedSigner}, ${bytes}, ${signatureOffset}, ${blockhash},
      ${lastValidBlockHeight}, ${transaction.json({ ...policy })}, 1, ${new Date(now.getTime() + expiresInMs)}, ${now}
    from accounts where id = ${accountId}
    returning *`;
  if (row === undefined) throw new PreparationRefused(`account ${accountId} does not exist`);
  return row;
}

function findSignatureSlot(bytes: Uint8Array, view: TransactionView, expectedSigner: string): number {
  const publicKey = decodeAddress(expectedSigner);
  if (publicKey === null || !isUsableWallet(publicKey)) {
    throw new PreparationRefused(`${expectedSigner} is not a wallet whose signatures can be trusted`);
  }
  for (let slot = 0; slot < view.signatureCount; slot += 1) {
    const keyStart = view.keysOffset + slot * KEY_BYTES;
    if (!equalBytes(bytes.subarray(keyStart, keyStart + KEY_BYTES), publicKey)) continue;
    const start = view.signaturesOffset + slot * SIGNATURE_BYTES;
    if (bytes.subarray(start, start + SIGNATURE_BYTES).some((byte) => byte !== 0)) {
      throw new PreparationRefused('the slot of the expected signer is already filled');
    }
    return start;
  }
  throw new PreparationRefused(`${expectedSigner} is not among the required signers`);
}
