import type { Signature } from '@solana/kit';
import { encodeBase64 } from '../../shared/bytes.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { readResult } from './ask-node.ts';
import { requireContextSlot, requirePosition } from './position-calls.ts';

/** Limit of signatures in one getSignatureStatuses. */
export const STATUSES_MAX = 256;

/** The status of a signature at one node. */
export interface SignatureStatus {
  commitment: 'processed' | 'confirmed' | 'finalized';
  /** Slot of the block that has the transaction. */
  slot: bigint;
  /** The chain's error as JSON when the transaction landed and failed, else null. */
  failure: string | null;
}

export interface SignatureStatuses {
  /** The slot of the node's response. */
  contextSlot: bigint;
  /** In the order of the request. Null where the node does not know the signature. */
  statuses: readonly (SignatureStatus | null)[];
}

/**
 * @param signatures base58, at most `STATUSES_MAX`.
 * @param searchHistory also looks outside the node's recent cache.
 */
export function getSignatureStatuses(
  rpc: ChainRpc,
  signatures: readonly string[],
  { searchHistory, timeoutMs }: { searchHistory: boolean; timeoutMs: number },
): Promise<RpcOutcome<SignatureStatuses>> {
  return rpc.call(async (kit, abortSignal) => {
    const { context, value } = await kit
      .getSignatureStatuses(signatures as readonly Signature[], { searchTransactionHistory: searchHistory })
      .send({ abortSignal });
    // A status left out of the list would count as "unknown to the node", which is part of a proof.
    if (value.length !== signatures.length)
      throw new TypeError('the node returned another number of statuses');
    return { contextSlot: requirePosition(context.slot), statuses: value.map(readStatus) };
  }, timeoutMs);
}

/** The result of a transaction if it ran now. */
export interface Simulation {
  /** The chain's error as JSON. Null when the transaction would succeed. */
  failure: string | null;
  unitsConsumed: number;
}

/**
 * Runs a transaction as it would run now, at commitment `confirmed`, with its own blockhash. Signatures are
 * not checked.
 *
 * @param minContextSlot a node that has not reached this slot fails. 0: every node may respond.
 */
export function simulateTransaction(
  rpc: ChainRpc,
  transaction: Uint8Array,
  timeoutMs: number,
  minContextSlot = 0n,
): Promise<RpcOutcome<Simulation>> {
  const config = {
    encoding: 'base64',
    commitment: 'confirmed',
    sigVerify: false,
    replaceRecentBlockhash: false,
    ...(minContextSlot !== 0n && { minContextSlot: Number(minContextSlot) }),
  };
  const params = [encodeBase64(transaction), config];
  return rpc.call(async (_kit, abortSignal, ask) => {
    const { context, value } = readResult(
      await ask('simulateTransaction', params, abortSignal),
    ) as SimulationResult;
    requireContextSlot(exactInteger(context.slot), minContextSlot);
    if (value.err === undefined) throw new TypeError('the node returned a simulation without an outcome');
    // Old nodes do not report the units.
    return { failure: failureText(value.err), unitsConsumed: Number(value.unitsConsumed ?? 0) };
  }, timeoutMs);
}

/** What a node should return; anything may come. */
interface SimulationResult {
  context: { slot: unknown };
  value: { err: unknown; unitsConsumed?: unknown };
}

/** A number as the client reads it from other responses; what is no exact integer is refused as a position. */
function exactInteger(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

function readStatus(
  status: { slot: bigint; confirmationStatus: SignatureStatus['commitment'] | null; err: unknown } | null,
): SignatureStatus | null {
  if (status === null) return null;
  const { slot, confirmationStatus, err } = status;
  if (err === undefined) throw new TypeError('the node returned a status without an outcome');
  // In every other state the transaction is known, but not settled.
  const isSettled = confirmationStatus === 'confirmed' || confirmationStatus === 'finalized';
  return {
    commitment: isSettled ? confirmationStatus : 'processed',
    slot: requirePosition(slot),
    failure: failureText(err),
  };
}

function failureText(err: unknown): string | null {
  if (err === null) return null;
  // The client reads every integer as a bigint. The integers of an error have at most 32 bits.
  return JSON.stringify(err, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}
