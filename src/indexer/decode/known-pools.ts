import type { EventVenue } from './emitted-events.ts';

/** The program that a trade went through: the bonding curve, or the AMM that it migrated to. */
export type Venue = EventVenue | 'damm_v1';

/** A pool of a known token. */
interface Pool {
  poolAddress: string;
  mintAddress: string;
  /** Of the token. */
  decimals: number;
}

/** A bonding-curve pool of a known token. */
export interface CurvePool extends Pool {
  venue?: 'dbc';
}

/** An AMM pool of a known token: of DAMM v2, or of its predecessor. */
export interface DammPool extends Pool {
  venue: 'damm' | 'damm_v1';
}

/**
 * A pool of a known token whose program is not known yet. It is decoded as one of each program, and only one can match: a
 * program's events and calls name pools that it owns, and an account has one owner.
 */
export interface UninspectedPool extends Pool {
  venue: 'unknown';
}

export type TokenPool = CurvePool | DammPool | UninspectedPool;

/** Pools by their addresses; a Map is one. */
export interface PoolLookup {
  get(poolAddress: string): TokenPool | undefined;
}

/** A token with more is never listed (the check `tokens_decimals` of the database). */
const DECIMALS_MAX = 18;

export function hasUsableDecimals({ decimals }: TokenPool): boolean {
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS_MAX;
}

/** The known pools, and those that become known because a known curve migrates into them. */
export class KnownPools {
  readonly #given: PoolLookup;
  readonly #migrated = new Map<string, DammPool>();

  constructor(pools: TokenPool | PoolLookup) {
    this.#given = 'poolAddress' in pools ? new Map([[pools.poolAddress, pools]]) : pools;
  }

  /** The pool at this address, if it is one of this program, or may be. */
  at(poolAddress: string | undefined, venue: Venue): TokenPool | undefined {
    if (poolAddress === undefined) return undefined;
    const pool = this.#given.get(poolAddress) ?? this.#migrated.get(poolAddress);
    const known = pool?.venue ?? 'dbc';
    return known === venue || known === 'unknown' ? pool : undefined;
  }

  /** Whether the caller knew it, and not only this transaction. */
  isGiven(poolAddress: string): boolean {
    return this.#given.get(poolAddress) !== undefined;
  }

  addMigrated(pool: DammPool): void {
    this.#migrated.set(pool.poolAddress, pool);
  }
}
