import { CLUSTER_BLOCKHASH_WINDOW_BLOCKS } from '../cluster-facts.ts';
import { memosOf } from '../memos.ts';
import { type RpcContext, type RpcMethods, withContext } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import {
  addressOf,
  configAt,
  contextSlotOf,
  historyCommitmentOf,
  integerOf,
  type RpcConfig,
  signatureOf,
} from '../rpc-params.ts';

const MAX_STATUSES = 256;
const MAX_SIGNATURES = 1_000;

/** Statuses of signatures, and the signatures of an address. */
export const signatureMethods: RpcMethods = {
  getSignatureStatuses: (context, params) => {
    const signatures = params[0];
    if (!Array.isArray(signatures)) throw invalidParams('Invalid params: expected an array of signatures.');
    if (signatures.length > MAX_STATUSES)
      throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
    const searchHistory = configAt(params, 1).searchTransactionHistory === true;
    const value = signatures.map(signatureOf).map((one) => statusOf(context, one, searchHistory));
    return withContext(context.view.headSlot, value);
  },
  getSignaturesForAddress: (context, params) => {
    const address = addressOf(params[0]);
    const config = configAt(params, 1);
    const commitment = historyCommitmentOf(config);
    contextSlotOf(context, config);
    const limit = integerOf(config.limit ?? MAX_SIGNATURES, 'limit');
    if (limit < 1 || limit > MAX_SIGNATURES) throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`);
    const maxSlot = context.view.slotAt(commitment);
    const bounds = boundsOf(context, config);
    if (bounds === null) return [];
    return context.ledger.history.byAddress(address, { ...bounds, maxSlot, limit }).map((found) => ({
      signature: found.signature,
      slot: found.slot,
      transactionIndex: found.indexInSlot,
      err: parseErr(found.errJson),
      memo: memosOf(found.wire),
      blockTime: found.blockTimeSeconds,
      confirmationStatus: context.view.commitmentOf(found.slot),
    }));
  },
};

/** Without `searchTransactionHistory` only the last 150 slots are searched, like a node's status cache. */
function statusOf(context: RpcContext, signature: string, searchHistory: boolean): unknown {
  if (context.faults.current.hideStatuses === true) return null;
  const { view } = context;
  const found = context.ledger.history.statusOf(signature);
  if (found === null || found.slot > view.headSlot) return null;
  const age = view.headSlot - found.slot;
  if (age > CLUSTER_BLOCKHASH_WINDOW_BLOCKS && !searchHistory) return null;
  const err = parseErr(found.errJson);
  const confirmationStatus = view.commitmentOf(found.slot);
  return {
    slot: found.slot,
    confirmations: confirmationStatus === 'finalized' ? null : blocksSince(context, found.slot),
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus,
  };
}

function blocksSince({ ledger: { skipped }, view }: RpcContext, slot: bigint): bigint {
  return skipped.heightAt(view.headSlot) - skipped.heightAt(slot);
}

/** `before` and `until` as sequences; null when `before` is not in history, since then no signature is older. */
function boundsOf(context: RpcContext, config: RpcConfig): { before: number; after: number } | null {
  const { history } = context.ledger;
  const { before, until } = config;
  let newest: number | null = Number.MAX_SAFE_INTEGER;
  if (before !== undefined && before !== null) newest = history.sequenceOf(signatureOf(before));
  if (newest === null) return null;
  const oldest = until === undefined || until === null ? 0 : (history.sequenceOf(signatureOf(until)) ?? 0);
  return { before: newest, after: oldest };
}

function parseErr(errJson: string | null): unknown {
  return errJson === null ? null : JSON.parse(errJson);
}
