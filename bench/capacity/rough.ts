const DIGITS = 2;

/** An amount with two digits that count: the figures carry no more. Thousands are separated; small ones keep two places. */
export function rough(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  const rounded = Number(value.toPrecision(DIGITS));
  return rounded.toLocaleString('en', { maximumFractionDigits: Math.abs(rounded) < 1 ? 2 : 1 });
}

const STEPS = [
  [1e15, 'PB'],
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'KB'],
] as const;

/** Bytes in the unit that leaves the fewest digits. */
export function roughBytes(bytes: number): string {
  const [size, unit] = STEPS.find(([step]) => bytes >= step) ?? [1, 'bytes'];
  return `${rough(bytes / size)} ${unit}`;
}
