import { FIRST_SLOT } from '../commitment.ts';
import type { TransactionRecord } from '../history-store.ts';
import type { RpcContext, RpcMethods } from '../rpc-context.ts';
import { invalidParams, RPC_CODE, RpcError } from '../rpc-errors.ts';
import { configAt, historyCommitmentOf, integerOf, type RpcConfig } from '../rpc-params.ts';
import { transactionAccountsJson, transactionJson } from '../transaction-json.ts';
import { encodingOf, maxVersionOf } from './transactions.ts';

const MAX_BLOCK_RANGE = 500_000n;

/** Blocks: every slot has one unless a fork dropped it; most are empty. */
export const blockMethods: RpcMethods = {
  getBlockTime: (context, params) => {
    const slot = BigInt(integerOf(params[0], 'slot'));
    requireBlock(context, slot, context.view.slotAt('processed'));
    return blockTimeSeconds(context, slot);
  },
  getBlock: (context, params) => {
    const slot = BigInt(integerOf(params[0], 'slot'));
    const config = configAt(params, 1);
    requireBlock(context, slot, context.view.slotAt(historyCommitmentOf(config)));
    return blockJson(context, slot, context.ledger.history.bySlot(slot), config);
  },
  getBlocks: (context, params) => {
    const start = BigInt(integerOf(params[0], 'start slot'));
    const hasEnd = typeof params[1] === 'number';
    const newest = context.view.slotAt(historyCommitmentOf(configAt(params, hasEnd ? 2 : 1)));
    const end = hasEnd ? BigInt(integerOf(params[1], 'end slot')) : newest;
    if (end - start > MAX_BLOCK_RANGE) throw invalidParams(`Slot range too large; max ${MAX_BLOCK_RANGE}`);
    return blocksBetween(context, start, end < newest ? end : newest);
  },
  getBlocksWithLimit: (context, params) => {
    const start = BigInt(integerOf(params[0], 'start slot'));
    const limit = BigInt(integerOf(params[1], 'limit'));
    if (limit > MAX_BLOCK_RANGE) throw invalidParams(`Limit too large; max ${MAX_BLOCK_RANGE}`);
    const newest = context.view.slotAt(historyCommitmentOf(configAt(params, 2)));
    return blocksBetween(context, start, newest, limit);
  },
};

/** One block as getBlock and block subscriptions show it, with the given transactions. */
export function blockJson(
  context: RpcContext,
  slot: bigint,
  records: readonly TransactionRecord[],
  config: RpcConfig,
): Record<string, unknown> {
  const { ring, skipped } = context.ledger;
  const parentSlot = skipped.parentOf(slot);
  return {
    blockhash: ring.hashOf(slot),
    previousBlockhash: ring.hashOf(parentSlot),
    parentSlot,
    blockHeight: skipped.heightAt(slot),
    blockTime: blockTimeSeconds(context, slot),
    ...contentOf(records, config),
    ...(config.rewards === false ? {} : { rewards: [] }),
  };
}

function blocksBetween(
  { ledger }: RpcContext,
  start: bigint,
  end: bigint,
  limit: bigint = MAX_BLOCK_RANGE + 1n,
): bigint[] {
  const slots: bigint[] = [];
  for (let slot = start < FIRST_SLOT ? FIRST_SLOT : start; slot <= end && slots.length < limit; slot += 1n)
    if (!ledger.skipped.has(slot)) slots.push(slot);
  return slots;
}

function blockTimeSeconds(context: RpcContext, slot: bigint): number {
  return Math.floor(context.ledger.clock.unixMsOf(slot) / 1000);
}

function requireBlock({ ledger }: RpcContext, slot: bigint, newest: bigint): void {
  if (slot < FIRST_SLOT)
    throw new RpcError(
      RPC_CODE.blockCleanedUp,
      `Block ${slot} cleaned up, does not exist on node. First available block: ${FIRST_SLOT}`,
    );
  if (slot > newest) throw new RpcError(RPC_CODE.blockNotAvailable, `Block not available for slot ${slot}`);
  if (ledger.skipped.has(slot))
    throw new RpcError(
      RPC_CODE.slotSkipped,
      `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
    );
}

function contentOf(records: readonly TransactionRecord[], config: RpcConfig): Record<string, unknown> {
  switch (config.transactionDetails) {
    case 'none':
      return {};
    case 'signatures':
      return { signatures: records.map((record) => record.signature) };
    case undefined:
    case null:
    case 'full':
      return {
        transactions: records.map((record) =>
          transactionJson(record, encodingOf(config), maxVersionOf(config)),
        ),
      };
    case 'accounts':
      return { transactions: records.map((record) => transactionAccountsJson(record, maxVersionOf(config))) };
    default:
      throw invalidParams('Invalid params: transactionDetails must be full, accounts, signatures or none.');
  }
}
