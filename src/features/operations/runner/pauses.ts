/** Pauses of an operation after failed runs. */
export interface Pauses {
  firstMs: number;
  lastMs: number;
}

/** 2 s, 4 s, … up to a minute: eight failures take about three and a half minutes. */
export const defaultPauses: Pauses = { firstMs: 2_000, lastMs: 60_000 };

/** @param attempts failed runs so far, from 1 */
export function pauseAfter({ firstMs, lastMs }: Pauses, attempts: number): number {
  return Math.min(lastMs, firstMs * 2 ** (attempts - 1));
}
