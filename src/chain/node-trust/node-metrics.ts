import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { paceOf } from '../pace/measured-pace.ts';
import type { SendTarget } from '../rpc/send-target.ts';
import type { ChainRpc } from '../rpc.ts';

/**
 * Metrics of the trust of this process in its nodes. The label is the name of the address.
 *
 * @param sendTargets all addresses to which this process sends.
 */
export function observeNodes(
  metrics: ProcessMetrics,
  rpcs: readonly ChainRpc[],
  sendTargets: readonly SendTarget[] = rpcs,
): void {
  const quarantined = metrics.gauge(
    'launchwire_chain_node_quarantined',
    'Whether a node is quarantined for returning another transaction’s signature: its responses decide nothing',
    ['node'],
  );
  metrics.addSource({
    name: 'chain_nodes',
    gauges: [quarantined],
    load: async () => () => {
      for (const { name, quarantine } of sendTargets)
        quarantined.set(quarantine.isActive ? 1 : 0, { node: name });
    },
  });
  const slotSeconds = metrics.gauge(
    'launchwire_chain_slot_seconds',
    'Measured length of a slot of the chain, within SOLANA_SLOT_MS_MIN and SOLANA_SLOT_MS_MAX',
  );
  metrics.addSource({
    name: 'chain_pace',
    gauges: [slotSeconds],
    load: async () => () => slotSeconds.set(paceOf(rpcs).slotMs / 1_000),
  });
  metrics.tallies(
    'launchwire_chain_positions_ignored_total',
    'Slots, heights and paces of a node that were not believed, by reason: too_fast for the protocol, ahead of the other nodes, or a pace that the protocol does not allow',
    ['node', 'reason'],
    function* () {
      for (const { name, positions } of rpcs)
        for (const [reason, count] of Object.entries(positions.ignored))
          yield { labels: { node: name, reason }, count };
    },
  );
}
