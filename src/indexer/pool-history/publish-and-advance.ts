import type { NatsConnection } from '@nats-io/transport-node';
import type { SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { CurvePool, DecodedTransaction } from '../decode/decode-transaction.ts';
import { moveCursor, type PoolCursor } from './pool-cursor.ts';
import { type PlacedTrade, publishTrades } from './publish-trades.ts';
import type { EventAlarm } from './undecoded.ts';

/** What a curve can tell of its token's launch. */
export type LaunchStep = 'curve_completed' | 'migrated';

export interface ApplyContext {
  db: Database;
  connection: NatsConnection;
  clock: Clock;
  alarm: EventAlarm;
  /** Passed in, because the rules of tokens belong to their feature. Must be idempotent. */
  onLaunchStep(mintAddress: string, step: LaunchStep): Promise<void>;
}

/** A transaction of the pool, with what it did; null when it failed. */
export interface PlacedTransaction {
  record: SignatureRecord;
  transactionIndex: number;
  decoded: DecodedTransaction | null;
}

/**
 * Hands on what transactions of a pool did and then moves its cursor behind them. Killed anywhere before the last
 * step, all of it is done again by whoever comes next, and changes nothing twice. Returns the new cursor, or null
 * when another worker has moved it meanwhile.
 */
export async function applyTransactions(
  context: ApplyContext,
  pool: CurvePool,
  from: PoolCursor | null,
  transactions: readonly PlacedTransaction[],
): Promise<PoolCursor | null> {
  const last = transactions.at(-1);
  if (last === undefined) return from;
  for (const { record, decoded } of transactions)
    if (decoded !== null) context.alarm.record(pool.poolAddress, record.signature, decoded);
  await publishTrades(context.connection, transactions.flatMap(placedTrades));
  for (const { decoded } of transactions) {
    if (decoded?.curveCompleted) await context.onLaunchStep(pool.mintAddress, 'curve_completed');
    if (decoded?.migrated) await context.onLaunchStep(pool.mintAddress, 'migrated');
  }
  const { signature, slot } = last.record;
  const to = { signature, slot };
  return (await moveCursor(context.db, pool.poolAddress, from, to, context.clock.now())) ? to : null;
}

function placedTrades({ decoded, transactionIndex }: PlacedTransaction): PlacedTrade[] {
  return decoded?.trades.map((trade) => ({ ...trade, transactionIndex })) ?? [];
}
