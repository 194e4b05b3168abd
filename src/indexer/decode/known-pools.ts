import type { EventVenue } from './emitted-events.ts';

/** The program of a trade: the bonding curve, or the AMM to which it migrated. */
export type Venue = EventVenue | 'damm_v1';

interface Pool {
  poolAddress: string;
  mintAddress: string;
  /** Decimals of the token. */
  decimals: number;
}

/** A bonding-curve pool of a known token. */
export interface CurvePool extends Pool {
  venue?: 'dbc';
}

/** An AMM pool of a known token, in DAMM v2 or DAMM v1. */
export interface DammPool extends Pool {
  venue: 'damm' | 'damm_v1';
}

/**
 * A pool of a known token whose program is not known yet. It is decoded as a pool of each program, and only
 * one can match: a program's events and calls name only pools that the program owns.
 */
export interface UninspectedPool extends Pool {
  venue: 'unknown';
}

export type TokenPool = CurvePool | DammPool | UninspectedPool;

/** Pools by address. A Map has this shape. */
export interface PoolLookup {
  get(poolAddress: string): TokenPool | undefined;
}

/** A token with more decimals is never listed (the check `tokens_decimals` of the database). */
const DECIMALS_MAX = 18;

export function hasUsableDecimals({ decimals }: TokenPool): boolean {
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS_MAX;
}

/** The known pools, and the pools into which a known curve migrates. */
export class KnownPools {
  readonly #requested: PoolLookup;
  readonly #migrated = new Map<string, DammPool>();

  constructor(pools: TokenPool | PoolLookup) {
    this.#requested = 'poolAddress' in pools ? new Map([[pools.poolAddress, pools]]) : pools;
  }

  /** The pool at this address, if it is or may be a pool of this program. */
  at(poolAddress: string | undefined, venue: Venue): TokenPool | undefined {
    if (poolAddress === undefined) return undefined;
    const pool = this.#requested.get(poolAddress) ?? this.#migrated.get(poolAddress);
    const known = pool?.venue ?? 'dbc';
    return known === venue || known === 'unknown' ? pool : undefined;
  }

  /** Whether the caller gave the pool. Others come from this transaction. */
  isRequested(poolAddress: string): boolean {
    return this.#requested.get(poolAddress) !== undefined;
  }

  addMigrated(pool: DammPool): void {
    this.#migrated.set(pool.poolAddress, pool);
  }
}
