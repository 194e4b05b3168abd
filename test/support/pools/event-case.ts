import { wholeTokenPrice } from '../../../src/chain/pools/spot-price.ts';
import type { DecodedTransaction } from '../../../src/indexer/decode/decoded-transaction.ts';
import { rawToDecimal } from '../../../src/shared/decimal.ts';
import { addressOf, type IdlProgram } from './program-idl.ts';

export const SOL = 'So11111111111111111111111111111111111111112';
export const DECIMALS = 6;
export const mint = addressOf('the token');
export const pools = {
  dbc: { poolAddress: addressOf('the curve'), mintAddress: mint, decimals: DECIMALS },
  damm: { venue: 'damm', poolAddress: addressOf('the AMM pool'), mintAddress: mint, decimals: DECIMALS },
} as const;

export const sol = (raw: string | undefined) => rawToDecimal(BigInt(raw ?? '0'), 9);
export const token = (raw: string | undefined) => rawToDecimal(BigInt(raw ?? '0'), DECIMALS);

export interface EventCase {
  program: IdlProgram;
  event: string;
  bytes: number;
  instruction: string;
  accounts?: Record<string, string>;
  args?: Buffer;
  /** Required values of fields, by offset. */
  fixed?: Record<number, number>;
  read(decoded: DecodedTransaction): unknown;
  expected(fields: Record<string, string>): unknown;
}

export const curveAccounts = { pool: pools.dbc.poolAddress, virtual_pool: pools.dbc.poolAddress };
export const curveMints = { base_mint: mint, quote_mint: SOL };
export const tokenIsA = { token_a_mint: mint, token_b_mint: SOL };
export const tokenIsB = { token_a_mint: SOL, token_b_mint: mint };

export function priceOf(sqrt: string | undefined, solIsA: boolean): string {
  const squared = BigInt(sqrt ?? '0') ** 2n;
  const ratio = solIsA
    ? { numerator: 1n << 128n, denominator: squared }
    : { numerator: squared, denominator: 1n << 128n };
  return wholeTokenPrice(ratio, DECIMALS, 9);
}
