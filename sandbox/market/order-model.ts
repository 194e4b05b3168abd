import { LAMPORTS_PER_SOL, type Reserves } from './curve.ts';

/** An order of a trader, before it has a price. */
export type Order =
  | { readonly side: 'buy'; readonly paidLamports: bigint }
  | { readonly side: 'sell'; readonly tokensRaw: bigint };

const LEAST_LAMPORTS = 20_000_000n;
const MOST_LAMPORTS = 1_200_000_000n;
/** Pools are pulled towards a level between these, each its own; some of them are beyond graduation. */
const LEAST_LEVEL_SOL = 12;
const MOST_LEVEL_SOL = 100;
const PULL = 0.12;

/** The level at which buyers and sellers of a token are in balance: fixed by its place in the catalogue. */
export function balanceLevelLamports(listing: number): bigint {
  const spread = ((listing * 7 + 3) % 10) / 9;
  return BigInt(Math.round(LEAST_LEVEL_SOL + spread * (MOST_LEVEL_SOL - LEAST_LEVEL_SOL))) * LAMPORTS_PER_SOL;
}

/**
 * The next order of a trader: below the level of balance buying is a little more likely, above it selling. Small
 * orders are common and large ones rare. `random` returns numbers in [0, 1).
 */
export function nextOrder(
  pool: Reserves,
  heldRaw: bigint,
  levelLamports: bigint,
  random: () => number,
): Order {
  const pull = pool.lamports < levelLamports ? PULL : -PULL;
  if (heldRaw === 0n || random() < 0.5 + pull) {
    const range = Number(MOST_LAMPORTS - LEAST_LAMPORTS);
    return { side: 'buy', paidLamports: LEAST_LAMPORTS + BigInt(Math.floor(range * random() ** 3)) };
  }
  const shareBps = 1_000n + BigInt(Math.floor(random() * 6_000));
  const tokensRaw = (heldRaw * shareBps) / 10_000n;
  return { side: 'sell', tokensRaw: tokensRaw > 0n ? tokensRaw : heldRaw };
}
