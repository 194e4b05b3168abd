import { FIRST_SLOT } from '../commitment.ts';
import { API_VERSION, type RpcMethods } from '../rpc-context.ts';
import { RpcError } from '../rpc-errors.ts';
import { configAt, contextSlotOf } from '../rpc-params.ts';
import { SLOTS_PER_EPOCH } from '../vm.ts';

const NODE_UNHEALTHY = -32005;
const UNHEALTHY_AFTER_SLOTS = 128;

/** Position of the chain, and identity of the node. */
export const slotMethods: RpcMethods = {
  getHealth: ({ faults }) => {
    const behind = faults.current.lagSlots ?? 0;
    if (behind > UNHEALTHY_AFTER_SLOTS)
      throw new RpcError(NODE_UNHEALTHY, `Node is behind by ${behind} slots`, { numSlotsBehind: behind });
    return 'ok';
  },
  getVersion: () => ({ 'solana-core': API_VERSION, 'feature-set': 0 }),
  getGenesisHash: ({ ledger }) => ledger.genesisHash,
  getIdentity: ({ ledger }) => ({ identity: ledger.faucet.address }),
  getSlot: (context, params) => contextSlotOf(context, configAt(params, 0)),
  getBlockHeight: (context, params) =>
    context.ledger.skipped.heightAt(contextSlotOf(context, configAt(params, 0))),
  getFirstAvailableBlock: () => FIRST_SLOT,
  minimumLedgerSlot: () => FIRST_SLOT,
  getEpochInfo: (context, params) => {
    const slot = contextSlotOf(context, configAt(params, 0));
    return {
      absoluteSlot: slot,
      blockHeight: context.ledger.skipped.heightAt(slot),
      epoch: slot / SLOTS_PER_EPOCH,
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: context.ledger.history.count(),
    };
  },
};
