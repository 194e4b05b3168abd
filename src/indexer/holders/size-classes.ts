/** A token with more accounts is counted while it is listed, and its accounts are not stored. */
export const FOLLOWED_ACCOUNTS_MAX = 100_000;
/**
 * A token that is not followed is followed again below this number, which is clearly lower than the limit.
 */
export const FOLLOWED_AGAIN_MAX = 80_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses between snapshots by the number of accounts with a balance (contract/market-data#holder-sizes). */
const classes: readonly { accountsMax: number; tradedMs: number; quietMs: number }[] = [
  { accountsMax: 1_000, tradedMs: 5 * MINUTE_MS, quietMs: HOUR_MS },
  { accountsMax: FOLLOWED_ACCOUNTS_MAX, tradedMs: HOUR_MS, quietMs: 6 * HOUR_MS },
  { accountsMax: Number.POSITIVE_INFINITY, tradedMs: 6 * HOUR_MS, quietMs: 6 * HOUR_MS },
];

/** The pause from a snapshot to the next one. */
export function snapshotPauseMs(accountCount: number, wasTraded: boolean): number {
  const size = classes.find(({ accountsMax }) => accountCount <= accountsMax);
  return (wasTraded ? size?.tradedMs : size?.quietMs) ?? HOUR_MS;
}

/** The pause before the next attempt, by the number of failures in a row. */
export function retryPauseMs(failures: number): number {
  return Math.min(HOUR_MS, MINUTE_MS * 2 ** Math.min(failures - 1, 6));
}
