import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
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
  metrics.tallies(
    'launchwire_chain_positions_ignored_total',
    'Slots and heights of a node that neither its own history nor a second node corroborated',
    ['node'],
    function* () {
      for (const { name, positions } of rpcs) yield { labels: { node: name }, count: positions.ignored };
    },
  );
}
