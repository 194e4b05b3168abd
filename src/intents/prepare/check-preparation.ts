import { readRecentPositions } from '../../chain/node-trust/believed-position.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { lifetimeOf } from '../../chain/transaction-lifetime.ts';
import { readTransaction, refusedHeapBytes, type TransactionView } from '../../chain/transaction-reader.ts';
import { refusedHeapFrame } from '../../chain/transactions/budget-instructions.ts';
import { isUsableWallet, verifyStrict } from '../../chain/verify-signature.ts';
import { decodeAddress, encodeAddress } from '../../shared/address.ts';
import { equalBytes } from '../../shared/bytes.ts';
import type { Clock } from '../../shared/clock.ts';
import { policyViolation } from '../policy.ts';
import { blockHeightBound, boundGivenHeight, expectedLifeMs } from './block-height.ts';
import { requireLookups, requireSimulation } from './check-on-chain.ts';
import { type Preparation, PreparationRefused } from './preparation.ts';
import { requireNonce } from './require-nonce.ts';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

declare const checkedBrand: unique symbol;

/** A preparation that has passed every check; only `checkPreparation` and `checkSimulated` make one. */
export interface CheckedPreparation {
  readonly [checkedBrand]: true;
  preparation: Preparation & { expiresInMs: number };
  /** Offset of the expected signer's signature in the bytes. */
  signatureOffset: number;
  /** base58; the nonce, for a transaction with a durable nonce. */
  blockhash: string;
  lastValidBlockHeight: bigint | null;
}

/**
 * Checks everything that would keep a transaction from being submitted later. Call it before the database
 * transaction that stores the intent, because it asks the chain: for lookup tables, for a nonce, for a policy
 * that requires a simulation, and for the block height. Throws PreparationRefused with the reason, also when
 * no node responds to the first three.
 */
export async function checkPreparation(
  preparation: Preparation,
  rpcs: readonly ChainRpc[],
  clock: Clock,
): Promise<CheckedPreparation> {
  const { transaction, policy } = preparation;
  const { view, signatureOffset } = checkBytes(preparation);
  const asksForState = view.lookups.length > 0 || policy.requireSimulation;
  // Positions first, so that a lagging node is not asked.
  if (asksForState) await readRecentPositions(rpcs, clock);
  if (view.lookups.length > 0) await requireLookups(transaction, view, { rpcs, clock });
  await requireNonce(transaction, view, rpcs);
  if (policy.requireSimulation) await requireSimulation(transaction, { rpcs, clock });
  const blockhash = blockhashOf(transaction, view);
  const hasNonce = lifetimeOf(transaction, view).kind === 'nonce';
  // A transaction with a durable nonce has no last block height.
  const lastValidBlockHeight = hasNonce
    ? null
    : await heightOf(blockhash, preparation.lastValidBlockHeight, rpcs, clock);
  const expiresInMs = preparation.expiresInMs ?? expectedLifeMs(preparation, hasNonce, rpcs, clock);
  const timed = { ...preparation, expiresInMs };
  return { preparation: timed, signatureOffset, blockhash, lastValidBlockHeight } as CheckedPreparation;
}

/**
 * The same checks for a transaction without lookups that its maker has just simulated, except for its limits.
 */
export function checkSimulated(preparation: CheckedPreparation['preparation']): CheckedPreparation {
  const { view, signatureOffset } = checkBytes(preparation);
  if (view.lookups.length > 0) throw new PreparationRefused('a simulated transaction looks nothing up');
  const blockhash = blockhashOf(preparation.transaction, view);
  const { lastValidBlockHeight } = preparation;
  return { preparation, signatureOffset, blockhash, lastValidBlockHeight } as CheckedPreparation;
}

function heightOf(blockhash: string, given: bigint | null, rpcs: readonly ChainRpc[], clock: Clock) {
  return given === null ? blockHeightBound(blockhash, rpcs, clock) : boundGivenHeight(given, rpcs, clock);
}

function blockhashOf(transaction: Uint8Array, { blockhashOffset }: TransactionView): string {
  return encodeAddress(transaction.subarray(blockhashOffset, blockhashOffset + KEY_BYTES));
}

/** Checks that need only the bytes. */
function checkBytes({ kind, transaction, expectedSigner, policy }: Preparation) {
  if (!/^[a-z][a-z0-9_]*$/.test(kind))
    throw new PreparationRefused(`kind ${kind} is not a lowercase identifier`);
  const view = readTransaction(transaction);
  if (view === null) throw new PreparationRefused(unreadable(transaction));
  refuseRepeatedKeys(transaction, view);
  const heapBytes = refusedHeapFrame(transaction, view);
  if (heapBytes !== null) throw new PreparationRefused(refusedHeap(heapBytes));
  const signatureOffset = findSignatureSlot(transaction, view, expectedSigner);
  requireOtherSignatures(transaction, view, signatureOffset);
  const violation = policyViolation(transaction, policy, view);
  if (violation !== null) throw new PreparationRefused(violation);
  return { view, signatureOffset };
}

/**
 * The message includes the size limits (contract/intents#wire-versions), because most unreadable transactions
 * are too large.
 */
function unreadable(transaction: Uint8Array): string {
  const heapBytes = refusedHeapBytes(transaction);
  if (heapBytes !== null) return refusedHeap(heapBytes);
  const { byteLength } = transaction;
  return `the transaction is malformed or too large: ${byteLength} bytes; at most 1232, or 4096 in version 1`;
}

function refusedHeap(heapBytes: number): string {
  return `the requested heap of ${heapBytes} bytes is not granted: 32768 to 262144 in steps of 1024 are`;
}

/** The runtime refuses a transaction that loads an account twice. */
function refuseRepeatedKeys(bytes: Uint8Array, { keysOffset, keyCount }: TransactionView): void {
  const keys = new Set<string>();
  for (let index = 0; index < keyCount; index += 1) {
    const start = keysOffset + index * KEY_BYTES;
    const key = bytes.subarray(start, start + KEY_BYTES);
    const hex = key.toHex();
    if (keys.has(hex)) throw new PreparationRefused(`account ${encodeAddress(key)} is listed twice`);
    keys.add(hex);
  }
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

/**
 * Throws PreparationRefused unless every required signer except the expected one has signed
 * (contract/intents#other-signers): a submission adds only one signature, so no other can be added or
 * corrected later.
 * @param expectedOffset offset of the expected signer's signature
 */
function requireOtherSignatures(
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
