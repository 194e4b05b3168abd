import type { Base64EncodedWireTransaction, Signature } from '@solana/kit';
import type { ChainRpc, RpcOutcome } from './rpc.ts';

/** Most signatures of one getSignatureStatuses. */
export const STATUSES_MAX = 256;

/** Where a node is, at commitment `confirmed`. */
export interface ChainPosition {
  slot: bigint;
  blockHeight: bigint;
}

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
    return { slot: absoluteSlot, blockHeight };
  }, timeoutMs);
}

export function getGenesisHash(rpc: ChainRpc, timeoutMs: number): Promise<RpcOutcome<string>> {
  return rpc.call((kit, abortSignal) => kit.getGenesisHash().send({ abortSignal }), timeoutMs);
}

/** Hands signed bytes to a node as they are; the node neither simulates nor repeats them (contract/intents#broadcast). Returns its signature. */
export function sendTransaction(
  rpc: ChainRpc,
  signedTransaction: Uint8Array,
  timeoutMs: number,
): Promise<RpcOutcome<string>> {
  const wire = Buffer.from(signedTransaction).toString('base64') as Base64EncodedWireTransaction;
  return rpc.call(
    (kit, abortSignal) =>
      kit
        .sendTransaction(wire, { encoding: 'base64', skipPreflight: true, maxRetries: 0n })
        .send({ abortSignal }),
    timeoutMs,
  );
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
    const statuses = value.map((status) =>
      status === null
        ? null
        : { commitment: status.confirmationStatus ?? 'processed', failure: failureText(status.err) },
    );
    return { contextSlot: context.slot, statuses };
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

function failureText(err: unknown): string | null {
  if (err === null) return null;
  // The client reads every integer as bigint; those of an error have 32 bits at most.
  return JSON.stringify(err, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}
