import { type PriorityLevel, priorityLevels } from '../../db/values/transaction-intents.ts';
import { KeyedLoads } from '../../shared/keyed-loads.ts';
import { getRecentPrices, type RecentPrices } from '../rpc/blockhash-calls.ts';
import { firstResponse } from '../rpc/first-response.ts';
import type { ChainRpc } from '../rpc.ts';

/** The price of each level, in micro-lamports per compute unit (contract/trading#priority-levels). */
export type LevelPrices = Readonly<Record<PriorityLevel, bigint>>;

/** The prices in recent blocks of transactions that write to some accounts. */
export interface PriorityFees {
  levels: LevelPrices;
  /** The newest block of the sample; null when it is empty. */
  slot: bigint | null;
  /** Number of blocks. */
  sampleSize: number;
}

/** The current prices for transactions that write to these accounts; null when no node responds. */
export type PriorityFeeSource = (writtenAccounts: readonly string[]) => Promise<PriorityFees | null>;

const TIMEOUT_MS = 1_000;
const KEPT_MAX = 2_000;

/** The share of recent blocks in which a transaction at this price would have landed, in percent. */
export const levelPercentiles: Readonly<Record<PriorityLevel, number>> = {
  min: 0,
  low: 25,
  medium: 50,
  high: 75,
  veryHigh: 95,
};

/** The level of requests that set none. */
export const DEFAULT_LEVEL: PriorityLevel = 'high';

/**
 * @param maxAgeMs how long prices are kept for further callers with the same accounts, and how long no node is
 * asked again when none responded
 */
export function createPriorityFeeSource(
  rpcs: readonly ChainRpc[],
  maxAgeMs: number | (() => number),
  nowMs: () => number = () => performance.now(),
): PriorityFeeSource {
  const kept = new KeyedLoads<PriorityFees | null>({ maxAgeMs, entriesMax: KEPT_MAX, nowMs });
  return (accounts) =>
    kept.get(accounts.join(), async () => {
      const prices = await firstResponse(rpcs, (rpc) => getRecentPrices(rpc, accounts, TIMEOUT_MS));
      return prices.ok ? summarise(prices.value) : null;
    });
}

function summarise(recent: readonly RecentPrices[]): PriorityFees {
  const ascending = recent
    .map(({ price }) => price)
    .sort((one, other) => (one < other ? -1 : Number(one > other)));
  const slot = recent.reduce<bigint | null>(
    (newest, { slot: at }) => (newest === null || at > newest ? at : newest),
    null,
  );
  return { levels: levelsOf(ascending), slot, sampleSize: recent.length };
}

/** The nearest-rank percentiles. 0 if there are no blocks, because priority is never required. */
export function levelsOf(ascending: readonly bigint[]): LevelPrices {
  const priceAt = (percentile: number) =>
    ascending[Math.max(0, Math.ceil((ascending.length * percentile) / 100) - 1)] ?? 0n;
  const entries = priorityLevels.map((level) => [level, priceAt(levelPercentiles[level])]);
  return Object.fromEntries(entries) as LevelPrices;
}
