import { isSolanaError, type Signature, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR } from '@solana/kit';
import type { ChainRpc, RpcRequest } from '../rpc.ts';
import { type AccountsInSlot, readAccounts } from './account-calls.ts';
import { readResult } from './ask-node.ts';
import { BlockText } from './block-text.ts';
import { describeRpcFailure, type RpcFailure } from './rpc-failure.ts';

/** Limit of signatures in one getSignaturesForAddress. */
export const SIGNATURES_MAX = 1_000;

/** A transaction that named an address, as a node lists it. */
export interface SignatureRecord {
  signature: string;
  slot: bigint;
  /** The transaction landed, but did nothing except pay its fee. */
  failed: boolean;
  /** Position in its block. Only newer nodes report it. */
  transactionIndex: number | null;
}

export interface SignatureRange {
  /** The list starts after this signature. If unset, it starts at the newest. */
  before?: string | undefined;
  /**
   * The list ends before this signature. A node that does not know it lists everything down to the beginning.
   */
  until?: string | undefined;
  limit: number;
  /** A node that has not reached this slot refuses. 0 or absent: every node may respond. */
  minContextSlot?: bigint | undefined;
}

/** An `RpcOutcome` with the pause that the node asks for. */
export type HistoryOutcome<Value> =
  | { ok: true; value: Value }
  | { ok: false; failure: RpcFailure; retryAfterMs: number | null };

/** Accounts of the pools whose history is read, all as of one slot. */
export function getPoolAccounts(
  rpc: ChainRpc,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<HistoryOutcome<AccountsInSlot>> {
  return callHistory(rpc, timeoutMs, (kit, abortSignal) => readAccounts(kit, addresses, abortSignal));
}

/**
 * Confirmed transactions that named the address, newest first. Empty when the node does not know `before`.
 */
export function getSignaturesForAddress(
  rpc: ChainRpc,
  address: string,
  { before, until, limit, minContextSlot = 0n }: SignatureRange,
  timeoutMs: number,
): Promise<HistoryOutcome<SignatureRecord[]>> {
  return callHistory(rpc, timeoutMs, async (_kit, abortSignal, ask) => {
    const range = {
      commitment: 'confirmed',
      limit,
      ...(before === undefined ? {} : { before }),
      ...(until === undefined ? {} : { until }),
      // A slot is far below 2^53.
      ...(minContextSlot === 0n ? {} : { minContextSlot: Number(minContextSlot) }),
    };
    const text = await ask('getSignaturesForAddress', [address, range], abortSignal);
    return (readResult(text) as ListedSignature[]).map(({ signature, slot, err, transactionIndex }) => ({
      signature,
      slot: BigInt(slot),
      failed: err !== null,
      transactionIndex: transactionIndex === undefined ? null : Number(transactionIndex),
    }));
  });
}

interface ListedSignature {
  signature: string;
  slot: number;
  err: unknown;
  transactionIndex?: number;
}

/**
 * The form of transactions in responses. Version 1 is allowed, because a node refuses transactions above the version
 * that the caller understands.
 */
const TRANSACTION_FORM = {
  commitment: 'confirmed',
  encoding: 'json',
  maxSupportedTransactionVersion: 1,
} as const;

/** A confirmed transaction as JSON in which 64-bit integers are exact. Null when the node does not know it. */
export function getTransaction(
  rpc: ChainRpc,
  signature: string,
  timeoutMs: number,
): Promise<HistoryOutcome<unknown>> {
  return callHistory<unknown>(rpc, timeoutMs, (kit, abortSignal) =>
    kit.getTransaction(signature as Signature, TRANSACTION_FORM).send({ abortSignal }),
  );
}

/**
 * A confirmed transaction for the decoder of pools, as plain JSON: lamports above 2^53 are not exact, and nothing that
 * the decoder reads is a number of that size. Null when the node does not know it.
 */
export function getPoolTransaction(
  rpc: ChainRpc,
  signature: string,
  timeoutMs: number,
): Promise<HistoryOutcome<unknown>> {
  return callHistory<unknown>(rpc, timeoutMs, async (_kit, abortSignal, ask) =>
    readResult(await ask('getTransaction', [signature, TRANSACTION_FORM], abortSignal)),
  );
}

/** The final slots of signatures, as a node reports them. */
export interface FinalizedSlots {
  /** The node's blocks up to this slot are final. */
  finalizedSlot: bigint;
  /** In the order of the request: the final slot of the transaction. Null where the node knows of none. */
  slots: readonly (bigint | null)[];
}

/** @param signatures at most 256 */
export function getFinalizedSlots(
  rpc: ChainRpc,
  signatures: readonly string[],
  timeoutMs: number,
): Promise<HistoryOutcome<FinalizedSlots>> {
  return callHistory(rpc, timeoutMs, async (kit, abortSignal) => {
    // The slot is read first: a block that was final then is also final in the statuses read after it.
    const finalizedSlot = await kit.getSlot({ commitment: 'finalized' }).send({ abortSignal });
    const { value } = await kit
      .getSignatureStatuses(signatures as readonly Signature[], { searchTransactionHistory: true })
      .send({ abortSignal });
    if (value.length !== signatures.length)
      throw new TypeError('the node returned another number of statuses');
    const slots = value.map((status) =>
      status !== null && status.confirmationStatus === 'finalized' ? BigInt(status.slot) : null,
    );
    return { finalizedSlot: BigInt(finalizedSlot), slots };
  });
}

/** The slots of this range that have a final block, both ends included. At most 500,000. */
export function getFinalizedBlocks(
  rpc: ChainRpc,
  first: bigint,
  last: bigint,
  timeoutMs: number,
): Promise<HistoryOutcome<ReadonlySet<bigint>>> {
  return callHistory(rpc, timeoutMs, async (kit, abortSignal) => {
    const slots = await kit.getBlocks(first, last, { commitment: 'finalized' }).send({ abortSignal });
    return new Set(slots.map(BigInt));
  });
}

/** Ids of the transactions in a final block. Null where the node has none in that slot. */
export function getFinalizedSignatures(
  rpc: ChainRpc,
  slot: bigint,
  timeoutMs: number,
): Promise<HistoryOutcome<ReadonlySet<string> | null>> {
  return callHistory(rpc, timeoutMs, async (kit, abortSignal) => {
    const block = await kit
      .getBlock(slot, {
        commitment: 'finalized',
        maxSupportedTransactionVersion: 1,
        rewards: false,
        transactionDetails: 'signatures',
      })
      .send({ abortSignal });
    return block === null ? null : new Set<string>(block.signatures);
  });
}

/** A confirmed block with all its transactions, several megabytes. Null where the node has none. */
export function getBlock(
  rpc: ChainRpc,
  slot: bigint,
  timeoutMs: number,
): Promise<HistoryOutcome<BlockText | null>> {
  return callHistory(rpc, timeoutMs, async (_kit, abortSignal, ask) => {
    const details = { ...TRANSACTION_FORM, rewards: false, transactionDetails: 'full' };
    return BlockText.read(await ask('getBlock', [Number(slot), details], abortSignal));
  });
}

async function callHistory<Value>(
  rpc: ChainRpc,
  timeoutMs: number,
  request: RpcRequest<Value>,
): Promise<HistoryOutcome<Value>> {
  const outcome = await rpc.call<HistoryOutcome<Value>>(async (kit, abortSignal, ask) => {
    try {
      return { ok: true, value: await request(kit, abortSignal, ask) };
    } catch (error) {
      // The response headers are lost once the error is described, so they are read here.
      return { ok: false, failure: describeRpcFailure(error), retryAfterMs: retryAfterMs(error) };
    }
  }, timeoutMs);
  return outcome.ok ? outcome.value : { ...outcome, retryAfterMs: null };
}

/**
 * `Retry-After` of a refused request, in seconds (RFC 9110 section 10.2.3). RPC providers do not use dates.
 */
function retryAfterMs(error: unknown): number | null {
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return null;
  const text = error.context.headers.get('retry-after');
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null;
}
