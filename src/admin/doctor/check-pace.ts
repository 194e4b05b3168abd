import { fastestOf } from '../../chain/pace/chain-pace.ts';
import { getSampledPace } from '../../chain/rpc/position-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

const TIMEOUT_MS = 5_000;

/**
 * Compares the pace that each node sampled in its last minute with what SOLANA_SLOT_MS_MIN and SOLANA_SLOT_MS_MAX
 * allow. A node that does not respond has its own finding (`check-nodes.ts`).
 */
export async function checkPace(rpcs: readonly ChainRpc[]): Promise<Finding[]> {
  const [first] = rpcs;
  if (first === undefined) return [skipped('pace', 'needs SOLANA_RPC_URL')];
  const { bounds } = first.positions;
  const allowed = `SOLANA_SLOT_MS_MIN is ${bounds.shortestSlotMs}, SOLANA_SLOT_MS_MAX ${bounds.longestSlotMs}`;
  const sampled = await Promise.all(
    rpcs.map(async (rpc) => ({ rpc, pace: await getSampledPace(rpc, TIMEOUT_MS) })),
  );
  const paces = sampled.flatMap(({ rpc, pace }) =>
    pace.ok && pace.value !== null ? [{ name: rpc.name, slotsPerSecond: pace.value }] : [],
  );
  if (paces.length === 0) return [skipped('pace', `no node has a sample of its pace; ${allowed}`)];
  return paces.map(({ name, slotsPerSecond }) => {
    const check = `pace of node ${name}`;
    if (slotsPerSecond === 0)
      return failed(check, 'no slot in its last sample: the chain has stopped, or the node');
    const slotMs = 1_000 / slotsPerSecond;
    const found = `a slot every ${Math.round(slotMs)} ms; ${allowed}`;
    if (slotsPerSecond > fastestOf(bounds))
      return failed(
        check,
        `${found}: it is not believed. Lower SOLANA_SLOT_MS_MIN if the cluster is as fast`,
      );
    if (slotMs > bounds.longestSlotMs)
      return failed(check, `${found}: a transaction lives longer than expiresAt says`);
    return ok(check, found);
  });
}
