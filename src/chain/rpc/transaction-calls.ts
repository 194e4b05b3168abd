import type { Base64EncodedWireTransaction, Signature } from '@solana/kit';
import { encodeBase64 } from '../../shared/bytes.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { requireContextSlot, requirePosition } from './position-calls.ts';

/** Most signatures of one getSignatureStatuses. */
export const STATUSES_MAX = 256;

/** What a node knows of a signature. */
export interface SignatureStatus {
  commitment: 'processed' | 'confirmed' | 'finalized';
  /** The chain's error as JSON when the transaction landed and failed. */
  failure: string | null;
}

export interface SignatureStatuses {
  /** The slot as of which the node responded. */
  contextSlot: bigint;
  /** In the order of the request; null where the node knows nothing. */
  statuses: readonly (SignatureStatus | null)[];
}

/** @param signatures base58, at most `STATUSES_MAX`. `searchHistory` looks beyond the node's recent cache. */
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

/** What a transaction would do now. */
export interface Simulation {
  /** The chain's error as JSON, or null when it would succeed. */
  failure: string | null;
  unitsConsumed: number;
}

/**
 * Runs a transaction as it would run now, at commitment `confirmed`, with its own blockhash and without looking at its
 * signatures.
 *
 * @param minContextSlot a node that has not reached it fails; 0: any may respond.
 */
export function simulateTransaction(
  rpc: ChainRpc,
  transaction: Uint8Array,
  timeoutMs: number,
  minContextSlot = 0n,
): Promise<RpcOutcome<Simulation>> {
  const wire = encodeBase64(transaction) as Base64EncodedWireTransaction;
  return rpc.call(async (kit, abortSignal) => {
    const { context, value } = await kit
      .simulateTransaction(wire, {
        encoding: 'base64',
        commitment: 'confirmed',
        sigVerify: false,
        replaceRecentBlockhash: false,
        ...(minContextSlot === 0n ? {} : { minContextSlot }),
      })
      .send({ abortSignal });
    requireContextSlot(context.slot, minContextSlot);
    // Nodes of old leave the units out.
    return { failure: failureText(value.err), unitsConsumed: Number(value.unitsConsumed ?? 0n) };
  }, timeoutMs);
}

function readStatus(
  status: { confirmationStatus: SignatureStatus['commitment'] | null; err: unknown } | null,
): SignatureStatus | null {
  if (status === null) return null;
  const { confirmationStatus, err } = status;
  if (err === undefined) throw new TypeError('the node returned a status without an outcome');
  // Anything else is known and not settled.
  const isSettled = confirmationStatus === 'confirmed' || confirmationStatus === 'finalized';
  return { commitment: isSettled ? confirmationStatus : 'processed', failure: failureText(err) };
}

function failureText(err: unknown): string | null {
  if (err === null) return null;
  // The client reads every integer as bigint; those of an error have 32 bits at most.
  return JSON.stringify(err, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}
