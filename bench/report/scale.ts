/** Three significant digits, without exponents, with thousands separated. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const magnitude = Math.abs(value);
  if (magnitude >= 1_000) return Math.round(value).toLocaleString('en-US');
  if (magnitude === 0) return '0';
  const digits = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(magnitude))));
  return value.toFixed(digits);
}

/** Round values that divide the range from 0 to `max` into at most five steps; the last one is at least `max`. */
export function linearTicks(max: number): number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * unit).find((size) => size >= rough) ?? rough;
  const count = Math.ceil(max / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Powers of ten around the positive values; at least one decade. */
export function decadeTicks(values: readonly number[]): number[] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [0.1, 1];
  const first = Math.floor(Math.log10(Math.min(...positive)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...positive))));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}
