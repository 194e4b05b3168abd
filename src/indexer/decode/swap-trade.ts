import { readOrNull } from './body-reader.ts';
import type { SwapEvent } from './curve-event-body.ts';
import type { DecodedTransaction, SkipReason } from './decoded-transaction.ts';
import { hasUsableDecimals } from './known-pools.ts';
import type { PoolEvent } from './pool-event.ts';
import { toDate } from './pool-event.ts';
import { toSol, tradeValues } from './trade-values.ts';

/** Adds the trade of a swap. `read` throws RangeError for a malformed swap. */
export function addTrade(
  decoded: DecodedTransaction,
  found: Pick<PoolEvent, 'pool' | 'fact'>,
  traderWallet: string,
  read: () => SwapEvent,
): SkipReason | null {
  if (!hasUsableDecimals(found.pool)) return 'decimals_unusable';
  const swap = readOrNull(read);
  if (swap === null) return 'unreadable';
  const blockTime = found.fact.blockTime ?? toDate(swap.chainTimeSeconds);
  if (blockTime === null) return 'unreadable';
  const { poolAddress, decimals } = found.pool;
  if (swap.solReserveRaw !== null) decoded.liquidityInSol.set(poolAddress, toSol(swap.solReserveRaw));
  const values = tradeValues(swap, decimals);
  if (values === null) return 'no_tokens_moved';
  decoded.trades.push({ ...found.fact, ...values, traderWallet, blockTime });
  return null;
}
