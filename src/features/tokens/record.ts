import type { launchTypes, tokenStatuses } from '../../db/schema/tokens.ts';
import {
  compareDecimals,
  type DecimalString,
  multiplyDecimals,
  normaliseDecimal,
  PRICE_FRACTION_DIGITS,
  truncateDecimal,
} from '../../shared/decimal.ts';

export type TokenStatus = (typeof tokenStatuses)[number];
export type LaunchType = (typeof launchTypes)[number];

/** The public Token (spec 2.1); which fields may be null: D8. */
export interface Token {
  mintAddress: string;
  creatorWallet: string;
  name: string;
  symbol: string;
  description: string | null;
  imageUrl: string | null;
  decimals: number;
  totalSupply: DecimalString;
  currentPriceInSol: DecimalString | null;
  marketCapInSol: DecimalString | null;
  solCollectedInSol: DecimalString;
  launchType: LaunchType;
  status: TokenStatus;
  launchedAt: string | null;
  graduatedAt: string | null;
  links: { telegram: string | null; twitter: string | null; website: string | null };
}

/** The market snapshot of a token (spec 2.3). */
export interface MarketSnapshot {
  mintAddress: string;
  asOf: string;
  priceInSol: DecimalString | null;
  marketCapInSol: DecimalString | null;
  liquidityInSol: DecimalString;
  totalSupply: DecimalString;
  holderCount: number;
  provenance: 'service-indexer';
}

/** Columns of `tokens` joined with `token_markets`; numerics as Postgres prints them. */
export interface TokenRow {
  mintAddress: string;
  creatorWallet: string;
  name: string;
  symbol: string;
  description: string | null;
  imageUrl: string | null;
  decimals: number;
  totalSupply: string;
  priceInSol: string | null;
  /** Null when the token has no market row yet. */
  solCollectedInSol: string | null;
  launchType: LaunchType;
  status: TokenStatus;
  launchedAt: Date | null;
  graduatedAt: Date | null;
  telegram: string | null;
  twitter: string | null;
  website: string | null;
}

export interface MarketRow {
  mintAddress: string;
  totalSupply: string;
  priceInSol: string | null;
  liquidityInSol: string;
  holderCount: number;
  asOf: Date;
}

export function toToken(row: TokenRow): Token {
  const totalSupply = normaliseDecimal(row.totalSupply);
  const price = publishedPrice(row.priceInSol);
  return {
    mintAddress: row.mintAddress,
    creatorWallet: row.creatorWallet,
    name: row.name,
    symbol: row.symbol,
    description: row.description,
    imageUrl: row.imageUrl,
    decimals: row.decimals,
    totalSupply,
    currentPriceInSol: price,
    marketCapInSol: marketCap(price, totalSupply),
    solCollectedInSol: nonNegative(row.solCollectedInSol),
    launchType: row.launchType,
    status: row.status,
    launchedAt: row.launchedAt?.toISOString() ?? null,
    graduatedAt: row.graduatedAt?.toISOString() ?? null,
    links: { telegram: row.telegram, twitter: row.twitter, website: row.website },
  };
}

export function toMarketSnapshot(row: MarketRow): MarketSnapshot {
  const totalSupply = normaliseDecimal(row.totalSupply);
  const price = publishedPrice(row.priceInSol);
  return {
    mintAddress: row.mintAddress,
    asOf: row.asOf.toISOString(),
    priceInSol: price,
    marketCapInSol: marketCap(price, totalSupply),
    liquidityInSol: nonNegative(row.liquidityInSol),
    totalSupply,
    holderCount: row.holderCount,
    provenance: 'service-indexer',
  };
}

/** A stored price as it is published: 18 fractional digits, and null rather than a price of zero (D9). */
function publishedPrice(numericText: string | null): DecimalString | null {
  if (numericText === null) return null;
  const price = truncateDecimal(normaliseDecimal(numericText), PRICE_FRACTION_DIGITS);
  return compareDecimals(price, ZERO) === 0 ? null : price;
}

/** The exact product of the published price, so that clients can check it digit for digit (D9). */
function marketCap(price: DecimalString | null, totalSupply: DecimalString): DecimalString | null {
  return price === null ? null : multiplyDecimals(price, totalSupply);
}

const ZERO = normaliseDecimal('0');

/** Sums of trades seen out of order may be below zero for a moment; nothing below zero is published. */
function nonNegative(numericText: string | null): DecimalString {
  return numericText === null || numericText.startsWith('-') ? ZERO : normaliseDecimal(numericText);
}
