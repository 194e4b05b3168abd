import type { TokenBalanceSource } from '../../chain/holdings/wallet-balances.ts';
import { firstResponse } from '../../chain/rpc/first-response.ts';
import type { Queryable } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { multiplyDecimals, rawToDecimal } from '../../shared/decimal.ts';
import { Problem } from '../../shared/problem.ts';
import { LASTING_RETRY_AFTER_SECONDS } from '../../shared/problems/problem-area.ts';
import { findHeldTokens, type HeldToken } from './find-held-tokens.ts';
import type { WalletHolding, WalletHoldings } from './schema.ts';

/** Not paginated (contract/market-data#holdings). */
const HOLDINGS_MAX = publishedLimits.walletHoldings;
/** Listing 10,000 accounts takes a node some hundred milliseconds. */
const NODE_TIMEOUT_MS = 3_000;
/** For all nodes together. */
const TIMEOUT_MS = 6_000;
/** For all nodes together: about 13,000 accounts, far more than a trader has. */
const ANSWERS_BYTES_MAX = 4 * 1024 * 1024;

export interface HoldingsDependencies {
  publicDatabase: Queryable;
  clock: Clock;
  /** In the order of their use. */
  balanceSources: readonly TokenBalanceSource[];
}

/**
 * Reads the balances of visible tokens from the chain, at commitment confirmed. Throws
 * `market_data_unavailable` without a node, and for a wallet with too many accounts.
 */
export async function listWalletHoldings(
  { publicDatabase: database, clock, balanceSources }: HoldingsDependencies,
  wallet: string,
): Promise<WalletHoldings> {
  const allowance = {
    bytesMax: ANSWERS_BYTES_MAX,
    bytesLeft: ANSWERS_BYTES_MAX,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  let isTooLarge = false;
  const balances = await firstResponse(balanceSources, async (source) => {
    const outcome = await source.read(wallet, NODE_TIMEOUT_MS, allowance);
    if (!outcome.ok && outcome.failure.kind === 'oversized') isTooLarge = true;
    return outcome;
  });
  if (!balances.ok) throw unreadable(new Error(balances.failure.message), isTooLarge);
  const asOf = clock.now().toISOString();
  const tokens = balances.value.size > 0 ? await findHeldTokens(database, balances.value, HOLDINGS_MAX) : [];
  return { asOf, data: tokens.map(toHolding) };
}

/** A wallet with too many accounts still has them in a second: that refusal is permanent. */
function unreadable(cause: Error, isTooLarge: boolean): Problem {
  if (!isTooLarge) return new Problem('market_data_unavailable', { cause });
  return new Problem('market_data_unavailable', {
    detail: 'The wallet has more token accounts than can be listed.',
    context: { reason: 'too_many_accounts' },
    retryAfterSeconds: LASTING_RETRY_AFTER_SECONDS,
    cause,
  });
}

function toHolding({ priceInSol, amountRaw, decimals, ...token }: HeldToken): WalletHolding {
  const valueInSol =
    priceInSol === null ? null : multiplyDecimals(rawToDecimal(BigInt(amountRaw), decimals), priceInSol);
  return { ...token, decimals, amountRaw, valueInSol };
}
