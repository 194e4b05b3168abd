import type { ChainRpc } from '../rpc.ts';
import { boundedPace, type ChainPace, type Rates } from './chain-pace.ts';
import { RECENT_MS } from './pace-history.ts';
import { NOMINAL_SLOT_MS, type PaceBounds, protocolBounds } from './protocol.ts';

const nominal = { slotsPerSecond: 1_000 / NOMINAL_SLOT_MS, blocksPerSecond: 1_000 / NOMINAL_SLOT_MS };

/** The parts of a node that hold its pace. */
export type PacedNode = Pick<ChainRpc, 'positions' | 'quarantine'>;

/**
 * The pace of the chain: the median of the nodes' paces, so that one of three nodes does not decide it. If there are
 * two, the faster one counts, because nodes fall behind often and lie rarely. Samples count while nothing is measured.
 * Quarantined nodes do not count. While another node counts, nodes do not count whose positions are doubted, or that
 * have reported nothing for some minutes.
 */
export function paceOf(nodes: readonly PacedNode[]): ChainPace {
  const known = nodes.filter(
    ({ quarantine, positions }) => !quarantine.isActive && Number.isFinite(positions.pace.knownAtMs),
  );
  const believed = known.filter(({ positions }) => positions.doubt === null);
  const paces = (believed.length > 0 ? believed : known).map(({ positions }) => positions.pace);
  const sinceMs = Math.max(...paces.map(({ knownAtMs }) => knownAtMs)) - RECENT_MS;
  const measurements = paces.flatMap((pace) => pace.measuredSince(sinceMs) ?? []);
  const rates =
    measurements.length > 0 ? measurements : paces.flatMap((pace) => pace.sampledSince(sinceMs) ?? []);
  return measured(median(rates), nodes[0]?.positions.bounds);
}

/** The higher one of two. */
function median(rates: readonly Rates[]): Rates | undefined {
  const sorted = [...rates].sort((one, other) => one.slotsPerSecond - other.slotsPerSecond);
  return sorted[Math.floor(sorted.length / 2)];
}

/** These rates within the bounds of the protocol. If there are none, the pace of mainnet. */
export function measured(rates: Rates | null | undefined, bounds: PaceBounds = protocolBounds): ChainPace {
  return boundedPace(rates ?? nominal, bounds, rates != null);
}
