import type { CurveKind } from './curve-kinds.ts';

/** An order of a trader, before it has a price. */
export type Order =
  | { readonly side: 'buy'; readonly paidLamports: bigint }
  | { readonly side: 'sell'; readonly tokensRaw: bigint };

/** How traders treat a token. */
export interface Mood {
  /** With this much SOL in the pool, buys and sells are equally likely. */
  readonly levelLamports: bigint;
  /** How strongly the distance from that level favours one side. */
  readonly pull: number;
  /** How often the token is picked to trade, relative to others. */
  readonly weight: number;
}

const LEAST_LAMPORTS = 20_000_000n;
const MOST_LAMPORTS = 1_200_000_000n;

/** Levels are percentages of the threshold. With a level above 100 the curve completes. */
const tempers: Readonly<
  Record<CurveKind, { level: readonly [number, number]; pull: number; weight: number }>
> = {
  steady: { level: [15, 60], pull: 0.12, weight: 3 },
  scheduled: { level: [15, 60], pull: 0.12, weight: 1 },
  quick: { level: [150, 150], pull: 0.36, weight: 3 },
};
const AFTER_MIGRATION = { pull: 0.12, weight: 0.5 } as const;

/** The mood follows from the kind of the curve and the place in the catalogue. */
export function moodOf(
  { kind, thresholdLamports }: { readonly kind: CurveKind; readonly thresholdLamports: bigint },
  listing: number,
  isMigrated: boolean,
): Mood {
  const { level, pull, weight } = tempers[kind];
  const [least, most] = level;
  const percent = Math.round(least + (((listing * 7 + 3) % 10) / 9) * (most - least));
  const levelLamports = (thresholdLamports * BigInt(percent)) / 100n;
  return { levelLamports, pull, weight, ...(isMigrated && AFTER_MIGRATION) };
}

/**
 * The next order of a trader: below the level of balance buying is more likely, above it selling. Small orders are
 * common and large ones rare. `random` returns numbers in [0, 1).
 */
export function nextOrder(
  reserveLamports: bigint,
  heldRaw: bigint,
  { levelLamports, pull }: Mood,
  random: () => number,
): Order {
  const lean = reserveLamports < levelLamports ? pull : -pull;
  if (heldRaw === 0n || random() < 0.5 + lean) {
    const range = Number(MOST_LAMPORTS - LEAST_LAMPORTS);
    return { side: 'buy', paidLamports: LEAST_LAMPORTS + BigInt(Math.floor(range * random() ** 3)) };
  }
  const shareBps = 1_000n + BigInt(Math.floor(random() * 6_000));
  const tokensRaw = (heldRaw * shareBps) / 10_000n;
  return { side: 'sell', tokensRaw: tokensRaw > 0n ? tokensRaw : heldRaw };
}
