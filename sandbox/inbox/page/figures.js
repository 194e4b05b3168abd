/** Decimal strings of the API for people: rounded for the eye only, four significant digits. */
export function figure(decimal) {
  if (decimal === null || decimal === undefined) return 'unknown';
  const value = Number(decimal);
  if (!Number.isFinite(value)) return decimal;
  if (value !== 0 && Math.abs(value) < 1e-4) return small(value);
  return value.toLocaleString('en', { maximumSignificantDigits: Math.abs(value) >= 10_000 ? 6 : 4 });
}

/** 0.00000002931 as 0.0₇2931: the small digit counts the zeros after the point. */
function small(value) {
  const [digits, exponent] = value.toExponential(3).split('e');
  const zeros = -Number(exponent) - 1;
  const subscript = [...String(zeros)].map((digit) => '₀₁₂₃₄₅₆₇₈₉'[Number(digit)]).join('');
  const sign = value < 0 ? '−' : '';
  return `${sign}0.0${subscript}${digits.replace(/[-.]/g, '').replace(/0+$/, '')}`;
}

/** An amount of whole tokens in short form, such as 1.25M. */
export function tokens(decimal) {
  return Number(decimal).toLocaleString('en', { notation: 'compact', maximumFractionDigits: 2 });
}

/** A longer duration is shown in minutes. */
const LONG_MS = 300_000;

/** A duration between two timestamps. */
export function between(from, to) {
  const ms = Date.parse(to) - Date.parse(from);
  if (ms < 1_000) return `${ms} ms`;
  if (ms < LONG_MS) return `${(ms / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} s`;
  return `${Math.round(ms / 60_000).toLocaleString('en')} min`;
}
