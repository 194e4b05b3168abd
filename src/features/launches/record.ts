import type { Reader } from '../../db/look-ups.ts';
import type { FirstBuy, Launch } from './schema.ts';
import type { LaunchStatus } from './state.ts';

/** A row of `launches` with the columns of its intent. */
export interface LaunchRow {
  id: string;
  accountId: string;
  intentId: string;
  mintAddress: string;
  status: LaunchStatus;
  creatorWallet: string;
  name: string;
  symbol: string;
  description: string | null;
  imageUrl: string | null;
  telegram: string | null;
  twitter: string | null;
  website: string | null;
  metadataUrl: string;
  configName: string;
  configAddress: string;
  poolAddress: string;
  buyLamports: string | null;
  buySlippageBps: number | null;
  buyOutRaw: string | null;
  buyMinimumOutRaw: string | null;
  tipLamports: string;
  createdAt: Date;
  completedAt: Date | null;
  transactionSignature: string | null;
  errorCode: string | null;
  errorDetail: string | null;
}

/** SQL: the columns of a LaunchRow, from `launches l` and `transaction_intents i`. */
export function launchColumns(sql: Reader) {
  return sql`l.id, l.account_id, l.intent_id, l.mint_address, l.status, l.creator_wallet, l.name, l.symbol, l.description,
    l.image_url, l.telegram, l.twitter, l.website, l.metadata_url, l.config_name, l.config_address, l.pool_address, l.buy_lamports, l.buy_slippage_bps,
    l.buy_out_raw, l.buy_minimum_out_raw, l.tip_lamports, l.created_at, l.completed_at, i.transaction_signature,
    i.error_code, i.error_detail`;
}

/** @param intentsUrl base URL of intents */
export function toLaunch(row: LaunchRow, intentsUrl: string): Launch {
  const { telegram, twitter, website, status } = row;
  return {
    id: row.id,
    mintAddress: row.mintAddress,
    creatorWallet: row.creatorWallet,
    status,
    poolAddress: status === 'bonding' ? row.poolAddress : null,
    name: row.name,
    symbol: row.symbol,
    description: row.description,
    imageUrl: row.imageUrl,
    links: { telegram, twitter, website },
    metadataUrl: row.metadataUrl,
    config: row.configName,
    configAddress: row.configAddress,
    initialBuy: firstBuyOf(row),
    tipLamports: row.tipLamports,
    intentId: row.intentId,
    intentUrl: `${intentsUrl}/${row.intentId}`,
    transactionSignature: row.transactionSignature,
    // A launch that succeeded although its intent did not has no error.
    error:
      status === 'failed' && row.errorCode !== null
        ? { code: row.errorCode, detail: row.errorDetail ?? '' }
        : null,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

function firstBuyOf(row: LaunchRow): FirstBuy | null {
  const { buyLamports, buySlippageBps, buyOutRaw, buyMinimumOutRaw } = row;
  if (buyLamports === null || buySlippageBps === null || buyOutRaw === null || buyMinimumOutRaw === null)
    return null;
  return {
    amountRaw: buyLamports,
    slippageBps: buySlippageBps,
    amountOutRaw: buyOutRaw,
    minimumOutRaw: buyMinimumOutRaw,
  };
}
