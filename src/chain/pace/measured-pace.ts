import type { ChainRpc } from '../rpc.ts';
import { boundedPace, type ChainPace, type Rates } from './chain-pace.ts';
import { NOMINAL_SLOT_MS, type PaceBounds, protocolBounds } from './protocol.ts';

const nominal = { slotsPerSecond: 1_000 / NOMINAL_SLOT_MS, blocksPerSecond: 1_000 / NOMINAL_SLOT_MS };

/** The parts of a node that show its pace. */
export type PacedNode = Pick<ChainRpc, 'positions' | 'quarantine'>;

/**
 * The pace of the chain: the median of what each node shows, so that one of three nodes does not decide it. Of two nodes the
 * slower counts, because only a pace that is too fast makes false heights credible. Quarantined nodes do not
 * count.
 */
export function paceOf(nodes: readonly PacedNode[]): ChainPace {
  const shown = nodes
    .filter(({ quarantine }) => !quarantine.isActive)
    .flatMap(({ positions }) => positions.pace.rates ?? [])
    .sort((one, other) => one.slotsPerSecond - other.slotsPerSecond);
  return measured(shown[Math.floor((shown.length - 1) / 2)], nodes[0]?.positions.bounds);
}

/** These rates within the bounds of the protocol; the pace of mainnet if there are none. */
export function measured(rates: Rates | null | undefined, bounds: PaceBounds = protocolBounds): ChainPace {
  return boundedPace(rates ?? nominal, bounds, rates != null);
}
