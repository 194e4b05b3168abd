/** Windows of statistics (contract/market-data#stats-windows), shortest first. */
export const statsWindows = ['5m', '1h', '6h', '24h'] as const;
export type StatsWindow = (typeof statsWindows)[number];

export const windowMinutes: Readonly<Record<StatsWindow, number>> = {
  '5m': 5,
  '1h': 60,
  '6h': 6 * 60,
  '24h': 24 * 60,
};

const MINUTE_MS = 60_000;

/**
 * The start of a window: a whole minute, so that bars of minutes fill it. A window ends with its last trade, in
 * the minute of `asOf` or later.
 */
export function windowStart(window: StatsWindow, asOf: Date): Date {
  const lastMinuteMs = Math.floor(asOf.getTime() / MINUTE_MS) * MINUTE_MS;
  return new Date(lastMinuteMs - (windowMinutes[window] - 1) * MINUTE_MS);
}
