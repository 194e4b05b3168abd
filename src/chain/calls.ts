import type { Base64EncodedWireTransaction, Signature } from '@solana/kit';
import type { ChainPosition } from './position-history.ts';
import type { ChainRpc, RpcOutcome } from './rpc.ts';

/** Most signatures of one getSignatureStatuses. */
export const STATUSES_MAX = 256;

/** What a node knows of a signature. */
export interface SignatureStatus {
  commitment: 'processed' | 'confirmed' | 'finalized';
  /** The chain's error as JSON when the transaction landed and failed. */
  failure: string | null;
}

export interface SignatureStatuses {
  /** The slot the node answered from. */
  contextSlot: bigint;
  /** In the order asked; null where the node knows nothing. */
  statuses: readonly (SignatureStatus | null)[];
}

export function getPosition(rpc: ChainRpc, timeoutMs: number): Promise<RpcOutcome<ChainPosition>> {
  return rpc.call(async (kit, abortSignal) => {
    const { absoluteSlot, blockHeight } = await kit
      .getEpochInfo({ commitment: 'confirmed' })
      .send({ abortSignal });
    return { slot: requirePosition(absoluteSlot), blockHeight: requirePosition(blockHeight) };
  }, timeoutMs);
}

export function getGenesisHash(rpc: ChainRpc, timeoutMs: number): Promise<RpcOutcome<string>> {
  return rpc.call((kit, abortSignal) => kit.getGenesisHash().send({ abortSignal }), timeoutMs);
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
    // What is left out of a list would pass for unknown to the node, and that is part of a proof.
    if (value.length !== signatures.length) throw new TypeError('the node told statuses of other signatures');
    return { contextSlot: requirePosition(context.slot), statuses: value.map(readStatus) };
  }, timeoutMs);
}

/**
 * Runs a transaction as it would run now, at commitment `confirmed`, without looking at its signatures. Returns the
 * chain's error as JSON, or null when it would succeed.
 */
export function simulateTransaction(
  rpc: ChainRpc,
  transaction: Uint8Array,
  timeoutMs: number,
): Promise<RpcOutcome<string | null>> {
  const wire = Buffer.from(transaction).toString('base64') as Base64EncodedWireTransaction;
  return rpc.call(async (kit, abortSignal) => {
    const { value } = await kit
      .simulateTransaction(wire, {
        encoding: 'base64',
        commitment: 'confirmed',
        sigVerify: false,
        replaceRecentBlockhash: false,
      })
      .send({ abortSignal });
    return failureText(value.err);
  }, timeoutMs);
}

function readStatus(
  told: { confirmationStatus: SignatureStatus['commitment'] | null; err: unknown } | null,
): SignatureStatus | null {
  if (told === null) return null;
  const { confirmationStatus, err } = told;
  if (err === undefined) throw new TypeError('the node told a status without an outcome');
  // Anything else is known and not settled.
  const isSettled = confirmationStatus === 'confirmed' || confirmationStatus === 'finalized';
  return { commitment: isSettled ? confirmationStatus : 'processed', failure: failureText(err) };
}

/** Throws unless it is a count; how far it is believed is for the caller to judge. */
function requirePosition(told: unknown): bigint {
  if (typeof told === 'bigint' && told >= 0n) return told;
  throw new TypeError('the node told a position that is no whole number');
}

function failureText(err: unknown): string | null {
  if (err === null) return null;
  // The client reads every integer as bigint; those of an error have 32 bits at most.
  return JSON.stringify(err, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}
