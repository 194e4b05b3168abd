import type { NatsConnection } from '@nats-io/transport-node';
import type { SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { CurvePool, DecodedTransaction } from '../decode/decode-transaction.ts';
import { moveCursor, type PoolCursor } from './pool-cursor.ts';
import { type PlacedTrade, publishTrades } from './publish-trades.ts';
import type { UndecodedCounts } from './undecoded.ts';

/** Steps of a token's launch that its curve shows. */
export type LaunchStep = 'curve_completed' | 'migrated';

export interface PublishDependencies {
  db: Database;
  connection: NatsConnection;
  clock: Clock;
  undecoded: UndecodedCounts;
  /** Passed in, because the rules of tokens belong to their feature. Must be idempotent. */
  onLaunchStep(mintAddress: string, step: LaunchStep): Promise<void>;
  /** Keeps what the transactions say of fees. Must be idempotent. */
  onFeeFacts(transactions: readonly (DecodedTransaction | null)[]): Promise<void>;
}

/** A transaction of the pool, with what it did; null when it failed. */
export interface PlacedTransaction {
  record: SignatureRecord;
  transactionIndex: number;
  decoded: DecodedTransaction | null;
}

/**
 * Publishes what transactions of a pool did and then moves its cursor behind them. After a crash before the last step
 * the next reader repeats all of it, which changes nothing twice. Returns the new cursor, or null
 * when another worker has moved it meanwhile.
 */
export async function publishAndAdvance(
  dependencies: PublishDependencies,
  pool: CurvePool,
  from: PoolCursor | null,
  transactions: readonly PlacedTransaction[],
): Promise<PoolCursor | null> {
  const last = transactions.at(-1);
  if (last === undefined) return from;
  for (const { record, decoded } of transactions)
    if (decoded !== null) dependencies.undecoded.record(pool.poolAddress, record.signature, decoded);
  await publishTrades(dependencies.connection, transactions.flatMap(placedTrades));
  for (const { decoded } of transactions) {
    if (decoded?.curveCompleted) await dependencies.onLaunchStep(pool.mintAddress, 'curve_completed');
    if (decoded?.migrated) await dependencies.onLaunchStep(pool.mintAddress, 'migrated');
  }
  await dependencies.onFeeFacts(transactions.map(({ decoded }) => decoded));
  const { signature, slot } = last.record;
  const to = { signature, slot };
  return (await moveCursor(dependencies.db, pool.poolAddress, from, to, dependencies.clock.now()))
    ? to
    : null;
}

function placedTrades({ decoded, transactionIndex }: PlacedTransaction): PlacedTrade[] {
  return decoded?.trades.map((trade) => ({ ...trade, transactionIndex })) ?? [];
}
