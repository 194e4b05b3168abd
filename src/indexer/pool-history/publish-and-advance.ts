import type { TokenPool } from '../decode/known-pools.ts';
import { applyBalances } from '../holders/apply-balances.ts';
import type { BatchPublisher, PlacedTransaction, PublishDependencies } from './batch-publisher.ts';
import { countUndecoded } from './count-undecoded.ts';
import { moveCursor, type PoolCursor } from './pool-cursor.ts';
import { publishFeeFacts } from './publish-fee-facts.ts';
import { publishLaunchSteps } from './publish-launch-steps.ts';
import { publishLiquidity } from './publish-liquidity.ts';
import { publishMigrations } from './publish-migrations.ts';
import { publishTrades } from './publish-trades.ts';

/**
 * Everything that is done with the transactions of a pool, in this order: trades on a curve are in the stream before
 * the pool is known that the next ones come from.
 */
const publishers: readonly BatchPublisher[] = [
  countUndecoded,
  publishTrades,
  publishMigrations,
  publishLiquidity,
  publishLaunchSteps,
  applyBalances,
  publishFeeFacts,
];

/**
 * Publishes what transactions of a pool did and then moves its cursor behind them. After a crash before the last step
 * the next reader repeats all of it, which changes nothing twice. Returns the new cursor, or null
 * when another worker has moved it meanwhile.
 */
export async function publishAndAdvance(
  dependencies: PublishDependencies,
  pool: TokenPool,
  from: PoolCursor | null,
  transactions: readonly PlacedTransaction[],
): Promise<PoolCursor | null> {
  const last = transactions.at(-1);
  if (last === undefined) return from;
  for (const publish of publishers) await publish(dependencies, { pool, transactions });
  const { signature, slot } = last.record;
  const to = { signature, slot };
  return (await moveCursor(dependencies.db, pool.poolAddress, from, to, dependencies.clock.now()))
    ? to
    : null;
}
