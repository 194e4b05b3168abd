import { type PaceBounds, protocolBounds } from './protocol.ts';

/** Slots and blocks that a chain makes in a second. Skipped slots have no block. */
export interface Rates {
  slotsPerSecond: number;
  blocksPerSecond: number;
}

/** The pace of the chain as this process measured it, within the bounds of the protocol. */
export interface ChainPace extends Rates {
  /** Milliseconds from one slot to the next. */
  slotMs: number;
  /** The most slots and blocks a second that are possible: for bounds that must not be too low. */
  fastestPerSecond: number;
  /** False while no node has reported a pace: mainnet's is assumed. */
  isMeasured: boolean;
}

/** The pace with rates within the bounds. */
export function boundedPace(rates: Rates, bounds: PaceBounds, isMeasured: boolean): ChainPace {
  const fastestPerSecond = fastestOf(bounds);
  const slowestPerSecond = slowestOf(bounds);
  const bounded = (rate: number) => Math.min(fastestPerSecond, Math.max(slowestPerSecond, rate));
  const slotsPerSecond = bounded(rates.slotsPerSecond);
  return {
    slotsPerSecond,
    blocksPerSecond: bounded(rates.blocksPerSecond),
    slotMs: 1_000 / slotsPerSecond,
    fastestPerSecond,
    isMeasured,
  };
}

/** Slots a second, of which each may have a block. */
export function fastestOf({ shortestSlotMs }: PaceBounds): number {
  return 1_000 / shortestSlotMs;
}

/** Slots a second of the slowest chain within the bounds. */
export function slowestOf({ longestSlotMs }: PaceBounds): number {
  return 1_000 / longestSlotMs;
}

/** The most slots a second by the bounds that a deployment has if it sets none. */
export const FASTEST_PER_SECOND = fastestOf(protocolBounds);

/** The most slots or blocks that the chain can make in this time, rounded up. Never less than 0. */
export function mostIn(durationMs: number, perSecond: number): bigint {
  return BigInt(Math.ceil((Math.max(0, durationMs) / 1_000) * perSecond));
}
