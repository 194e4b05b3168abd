import type { Queryable } from '../../db/client.ts';
import type { launchTypes, tokenStatuses } from '../../db/values/tokens.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import { marketCapInSol, publishedPrice, publishedSum } from '../../shared/published-value.ts';
import type { Token } from './schema.ts';

export type TokenStatus = (typeof tokenStatuses)[number];
export type LaunchType = (typeof launchTypes)[number];

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
    marketCapInSol: marketCapInSol(price, totalSupply),
    solCollectedInSol: publishedSum(row.solCollectedInSol),
    launchType: row.launchType,
    status: row.status,
    launchedAt: row.launchedAt?.toISOString() ?? null,
    graduatedAt: row.graduatedAt?.toISOString() ?? null,
    links: { telegram: row.telegram, twitter: row.twitter, website: row.website },
  };
}

/** Columns of a TokenRow, from `tokens t` and `token_markets m`. */
export function tokenColumns(db: Queryable) {
  return db`
    t.mint_address, t.creator_wallet, t.name, t.symbol, t.description, t.image_url, t.decimals, t.total_supply,
    m.price_in_sol, m.sol_collected_in_sol, t.launch_type, t.status, t.launched_at, t.graduated_at,
    t.telegram, t.twitter, t.website`;
}
