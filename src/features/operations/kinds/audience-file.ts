import type { RankedHolder } from './audience-rows.ts';
import type { AudienceExportInput } from './input-schema.ts';

type Line = Pick<RankedHolder, 'walletAddress' | 'balanceRaw'>;

/** The format of the file of an export. */
export interface AudienceFormat {
  contentType: string;
  extension: string;
  /** Text before the first line; may be empty. */
  header: string;
  /**
   * Lines that fit into the 256 KiB of a piece: addresses have at most 44 characters, amounts and slots 20.
   */
  linesPerChunk: number;
  line(holder: Line, slot: string): string;
}

/** RFC 4180 with its media type and line ends; no field needs quotes. */
const csv: AudienceFormat = {
  contentType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  header: 'wallet_address,balance_raw,slot\r\n',
  linesPerChunk: 2_900,
  line: ({ walletAddress, balanceRaw }, slot) => `${walletAddress},${balanceRaw},${slot}\r\n`,
};

/** One object per line; the file without holders is empty. */
const ndjson: AudienceFormat = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',
  header: '',
  linesPerChunk: 1_900,
  line: ({ walletAddress, balanceRaw }, slot) => `${JSON.stringify({ walletAddress, balanceRaw, slot })}\n`,
};

const formats = { csv, ndjson } as const;

export function audienceFormat({ format = 'csv' }: Pick<AudienceExportInput, 'format'>): AudienceFormat {
  return formats[format];
}

export function audienceFileName(mintAddress: string, slot: string, { extension }: AudienceFormat): string {
  return `audience-${mintAddress}-${slot}.${extension}`;
}
