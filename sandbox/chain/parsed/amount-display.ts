import type { ByteReader } from '../byte-reader.ts';
import { decodeMint } from '../token-accounts.ts';
import type { StoredAccount } from '../vm.ts';
import { readOrNull } from './field-layouts.ts';
import { extensionBytes } from './token-extension-states.ts';
import { type AmountDisplay, uiTokenAmount } from './ui-amount.ts';

const SECONDS_PER_YEAR = 31_556_736;
const BASIS_POINTS = 10_000;

/**
 * How amounts of a mint are shown at a time: by its decimals, and scaled where Token-2022 lets interest accrue or a
 * multiplier apply. Null when the account is no mint.
 */
export function amountDisplayOf(mint: StoredAccount, unixSeconds: number): AmountDisplay | null {
  const decoded = decodeMint(mint);
  if (decoded === null) return null;
  const { decimals } = decoded;
  const scale =
    scaleBy(mint, 'interestBearingConfig', interestFactor(unixSeconds), (amount) => amount) ??
    scaleBy(mint, 'scaledUiAmount', multiplierAt(unixSeconds), Math.trunc);
  if (scale === null) return (amount) => uiTokenAmount(amount, decimals);
  return (amount) => {
    const uiAmountString = trimmed(scale(amount, decimals), decimals);
    return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
  };
}

type Scale = (amount: bigint, decimals: number) => number;

function scaleBy(
  mint: StoredAccount,
  extension: 'interestBearingConfig' | 'scaledUiAmount',
  read: (reader: ByteReader) => number,
  round: (scaled: number) => number,
): Scale | null {
  const bytes = extensionBytes(mint, extension);
  const factor = bytes === null ? null : readOrNull(bytes, read);
  if (factor === null) return null;
  return (amount, decimals) => round(Number(amount) * factor) / 10 ** decimals;
}

/** Continuous interest: the average rate up to the last change of rate, the present one since. */
function interestFactor(unixSeconds: number): (reader: ByteReader) => number {
  return (reader) => {
    const view = viewAfterKey(reader, 20);
    const begunAt = Number(view.getBigInt64(0, true));
    const earlierRate = view.getInt16(8, true);
    const changedAt = Number(view.getBigInt64(10, true));
    const rate = view.getInt16(18, true);
    const grown = (basisPoints: number, seconds: number) =>
      Math.exp((basisPoints * seconds) / SECONDS_PER_YEAR / BASIS_POINTS);
    return grown(earlierRate, changedAt - begunAt) * grown(rate, unixSeconds - changedAt);
  };
}

function multiplierAt(unixSeconds: number): (reader: ByteReader) => number {
  return (reader) => {
    const view = viewAfterKey(reader, 24);
    const newFrom = Number(view.getBigInt64(8, true));
    return view.getFloat64(unixSeconds >= newFrom ? 16 : 0, true);
  };
}

function viewAfterKey(reader: ByteReader, length: number): DataView {
  reader.take(32);
  const bytes = reader.take(length);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

/** With the mint's decimals, less trailing zeros; JavaScript prints at most 100 of them, nodes as many as there are. */
function trimmed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : 'inf';
  const text = value.toFixed(Math.min(decimals, 100));
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
}
