import { type PriorityLevel, priorityLevels } from '../../db/values/transaction-intents.ts';
import { DEFAULT_LEVEL, type PriorityFeeSource } from './priority-levels.ts';

/** The priority that a request asks for. */
export interface PriorityChoice {
  /** Micro-lamports per compute unit; null for the price of a level. */
  price: bigint | null;
  /** Stored with the intent. Null if the request sets a price, or leaves the level to the service. */
  level: PriorityLevel | null;
  /** The most that priority may cost in total. Null if only the price bounds it. */
  lamportsMax: bigint | null;
}

/** The choice of a request that sets none. */
export const automaticPriority: PriorityChoice = { price: null, level: null, lamportsMax: null };

/** Fields of requests: `auto`, a level or a price, and a bound in lamports. */
export interface RequestedPriority {
  computeUnitPrice?: string | undefined;
  maxPriorityLamports?: string | undefined;
}

export function requestedPriority({
  computeUnitPrice = 'auto',
  maxPriorityLamports,
}: RequestedPriority): PriorityChoice {
  const level = priorityLevels.find((one) => one === computeUnitPrice) ?? null;
  return {
    price: level === null && computeUnitPrice !== 'auto' ? BigInt(computeUnitPrice) : null,
    level,
    lamportsMax: maxPriorityLamports === undefined ? null : BigInt(maxPriorityLamports),
  };
}

export interface PriceDependencies {
  priorityPrices: PriorityFeeSource;
  /** The most that a transaction pays, in micro-lamports per compute unit. */
  maxComputeUnitPrice: bigint;
}

/**
 * The price of a choice for transactions that write to these accounts: that of a level up to the configured
 * maximum, and 0 when no node knows it, because priority is never required.
 */
export async function priceOf(
  { price, level }: Pick<PriorityChoice, 'price' | 'level'>,
  accounts: readonly string[],
  { priorityPrices, maxComputeUnitPrice }: PriceDependencies,
): Promise<bigint> {
  if (price !== null) return price;
  const recent = (await priorityPrices(accounts))?.levels[level ?? DEFAULT_LEVEL] ?? 0n;
  return recent < maxComputeUnitPrice ? recent : maxComputeUnitPrice;
}

const MICRO_LAMPORTS = 1_000_000n;

/** The units of a transaction, and the price that it pays for them. */
export interface PricedUnits {
  computeUnitLimit: number;
  /** Micro-lamports per compute unit. 0 asks for no priority. */
  computeUnitPrice: bigint;
  /** Lowers the price so that priority costs at most this much. */
  priorityLamportsMax?: bigint | null;
}

/** The price that a transaction pays with this limit of units. */
export function boundedPrice({
  computeUnitLimit,
  computeUnitPrice,
  priorityLamportsMax = null,
}: PricedUnits): bigint {
  if (priorityLamportsMax === null || computeUnitLimit === 0) return computeUnitPrice;
  const most = (priorityLamportsMax * MICRO_LAMPORTS) / BigInt(computeUnitLimit);
  return computeUnitPrice < most ? computeUnitPrice : most;
}

/** The cost of priority in lamports, rounded up as the runtime does. */
export function priorityLamports(units: PricedUnits): bigint {
  const micro = BigInt(units.computeUnitLimit) * boundedPrice(units);
  return (micro + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}

/**
 * The cost of priority in version 1, whose header states lamports. They are rounded down, so that they are never
 * above the price per unit that a policy allows.
 */
export function statedPriorityLamports(units: PricedUnits): bigint {
  return (BigInt(units.computeUnitLimit) * boundedPrice(units)) / MICRO_LAMPORTS;
}
