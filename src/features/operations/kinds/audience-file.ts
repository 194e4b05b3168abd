import type { RankedHolder } from './audience-rows.ts';

/** RFC 4180 with its media type and line ends; no field needs quotes. */
export const AUDIENCE_CONTENT_TYPE = 'text/csv; charset=utf-8; header=present';
export const AUDIENCE_HEADER = 'wallet_address,balance_raw,slot\r\n';

/** A line has at most 44 + 20 + 20 characters, two commas and a line end: 2,900 fit into the 256 KiB of a piece. */
export const LINES_PER_CHUNK = 2_900;

/** Holders as lines of the file. */
export function audienceLines(
  holders: readonly Pick<RankedHolder, 'walletAddress' | 'balanceRaw'>[],
  slot: string,
): string {
  return holders
    .map(({ walletAddress, balanceRaw }) => `${walletAddress},${balanceRaw},${slot}\r\n`)
    .join('');
}

export function audienceFileName(mintAddress: string, slot: string): string {
  return `audience-${mintAddress}-${slot}.csv`;
}
