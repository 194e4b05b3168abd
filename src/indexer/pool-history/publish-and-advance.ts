import { jetstream } from '@nats-io/jetstream';
import { DAMM_V2 } from '../../chain/accounts/programs.ts';
import { settleWhileConnected } from '../../shared/bus/connect.ts';
import { publishStored } from '../../shared/bus/publish.ts';
import { ensureStreams } from '../../shared/bus/streams.ts';
import { INGEST_STREAM, ingestSubject } from '../../shared/bus/topology.ts';
import type { DecodedTrade, DecodedTransaction, Migration } from '../decode/decoded-transaction.ts';
import type { TokenPool } from '../decode/known-pools.ts';
import type { TradeMessage } from '../ingest/kinds/trade.ts';
import { endPosition } from '../market/indexed-trade.ts';
import { type LiquidityUpdate, storeLiquidity } from '../store/markets.ts';
import { poolProgramOf, storeAmmPool } from '../store/token-pools.ts';
import type {
  BatchPublisher,
  DecodedBatch,
  LaunchFact,
  PoolTransaction,
  PublishDependencies,
} from './batch-publisher.ts';
import type { PoolCursor } from './pool-cursor.ts';

const ACK_TIMEOUT_MS = 5_000;
/** Acknowledgements awaited at the same time, as in the outbox publisher. */
const WINDOW = 256;

/**
 * All publishers, in their order: trades on a curve are in the stream before the AMM pool of the next trades
 * becomes known.
 */
const publishers: readonly BatchPublisher[] = [
  countUndecoded,
  publishTrades,
  publishMigrations,
  publishLiquidity,
  publishLaunchSteps,
  publishBalances,
  publishFeeFacts,
];

/**
 * Publishes the effects of a pool's transactions and then moves its cursor past them. After a crash before
 * the last step the next reader repeats all of it, and changes nothing twice. Returns the new cursor, or null
 * when another worker has moved it in the meantime.
 */
export async function publishAndAdvance(
  dependencies: PublishDependencies,
  pool: TokenPool,
  from: PoolCursor | null,
  transactions: readonly PoolTransaction[],
): Promise<PoolCursor | null> {
  const last = transactions.at(-1);
  if (last === undefined) return from;
  for (const publish of publishers) await publish(dependencies, { pool, transactions });
  const { signature, slot } = last.record;
  const to = { signature, slot };
  return (await dependencies.writes.moveCursor({ poolAddress: pool.poolAddress, from, to })) ? to : null;
}

/** Counts events and swaps in the transactions that cannot be used. */
async function countUndecoded(
  { undecoded }: PublishDependencies,
  { pool, transactions }: DecodedBatch,
): Promise<void> {
  for (const { record, decoded } of transactions)
    if (decoded !== null) undecoded.record(pool.poolAddress, record.signature, decoded);
}

/**
 * Publishes trades in order and returns when the broker has stored all of them. Throws when it refused one.
 * The caller then publishes all again: the broker drops repeated trades by `Nats-Msg-Id`, and ingest by the
 * trade's identity.
 */
async function publishTrades(
  { connection }: PublishDependencies,
  { transactions }: DecodedBatch,
): Promise<void> {
  const trades = transactions.flatMap(
    ({ decoded, transactionIndex }) => decoded?.trades.map((trade) => ({ trade, transactionIndex })) ?? [],
  );
  const stream = jetstream(connection);
  for (let from = 0; from < trades.length; from += WINDOW) {
    const results = await settleWhileConnected(
      connection,
      trades.slice(from, from + WINDOW).map(({ trade, transactionIndex }) =>
        publishStored(stream, ingestSubject('trade'), JSON.stringify(toMessage(trade, transactionIndex)), {
          // The id includes the slot, because the same transaction can land again after a rollback.
          msgID: `${trade.signature}:${trade.slot}:${trade.outerIndex}:${trade.innerIndex}`,
          timeout: ACK_TIMEOUT_MS,
        }),
      ),
    );
    const refusal = results.find((result) => result.status === 'rejected');
    if (refusal === undefined) continue;
    // The broker may have lost its store, so the streams are created again before the next attempt.
    await ensureStreams(connection, { only: [INGEST_STREAM] });
    throw refusal.reason;
  }
}

function toMessage(trade: DecodedTrade, transactionIndex: number): TradeMessage {
  const { mintAddress, type, traderWallet, solAmount, tokenAmount, spotPriceInSol, liquidityInSol } = trade;
  return {
    mintAddress,
    type,
    traderWallet,
    solAmount,
    tokenAmount,
    spotPriceInSol,
    liquidityInSol,
    onCurve: trade.venue === 'dbc',
    slot: trade.slot.toString(),
    transactionIndex,
    outerIndex: trade.outerIndex,
    innerIndex: trade.innerIndex,
    blockTime: trade.blockTime.toISOString(),
    transactionSignature: trade.signature,
  };
}

/** Stores the AMM pool to which the liquidity of a curve moved, so that it is read from then on. */
async function publishMigrations(
  { db, clock }: PublishDependencies,
  { transactions }: DecodedBatch,
): Promise<void> {
  for (const { decoded, transactionIndex } of transactions)
    for (const migration of decoded?.migrations ?? [])
      await storeAmmPool(db, ammPoolOf(migration, transactionIndex), clock.now());
}

function ammPoolOf(migration: Migration, transactionIndex: number) {
  const { mintAddress, ammProgram, ammPoolAddress, ammConfigAddress, curvePoolAddress } = migration;
  return {
    poolAddress: ammPoolAddress,
    mintAddress,
    program: poolProgramOf(ammProgram),
    curvePoolAddress,
    configAddress: ammConfigAddress,
    migration: { signature: migration.signature, slot: migration.slot, transactionIndex },
  };
}

/**
 * Stores the SOL in the pool after transactions that moved it without a trade: a migration, and a provider's
 * change of liquidity. If the liquidity went to an AMM that is not read, it is unknown from then on.
 */
async function publishLiquidity(
  { db, onTokensChanged }: PublishDependencies,
  { pool, transactions }: DecodedBatch,
): Promise<void> {
  const updates = transactions.map((one) => liquidityAfter(one, pool));
  const last = updates.findLast((update) => update !== null);
  if (last != null && (await storeLiquidity(db, last))) onTokensChanged([last.mintAddress]);
}

function liquidityAfter(
  { decoded, record, transactionIndex }: PoolTransaction,
  { poolAddress, mintAddress }: DecodedBatch['pool'],
): LiquidityUpdate | null {
  if (decoded === null) return null;
  const position = endPosition({ slot: record.slot, transactionIndex });
  const migration = decoded.migrations.at(-1);
  if (migration !== undefined && migration.ammProgram !== DAMM_V2)
    return { mintAddress, liquidityInSol: null, position };
  const liquidityInSol = decoded.liquidityInSol.get(migration?.ammPoolAddress ?? poolAddress);
  return liquidityInSol === undefined ? null : { mintAddress, liquidityInSol, position };
}

/** Reports the steps of the curve to its token. */
async function publishLaunchSteps(
  dependencies: PublishDependencies,
  { pool, transactions }: DecodedBatch,
): Promise<void> {
  for (const { decoded } of transactions)
    if (decoded !== null)
      for (const fact of factsOf(decoded)) await dependencies.onLaunchStep(pool.mintAddress, fact);
}

function factsOf({ launches, curveCompletions, migrations }: DecodedTransaction): LaunchFact[] {
  return [
    ...launches.map(({ blockTime }) => ({ stage: 'trading' as const, at: blockTime })),
    ...curveCompletions.map(({ blockTime }) => ({ stage: 'completed' as const, at: blockTime })),
    ...migrations.map(({ blockTime }) => ({ stage: 'migrated' as const, at: blockTime })),
  ];
}

/** Updates the counts of holders of the tokens that the transactions moved. */
async function publishBalances(
  { writes }: PublishDependencies,
  { transactions }: DecodedBatch,
): Promise<void> {
  await writes.applyBalances(transactions);
}

/** Stores the fee claims in the transactions, and the facts that show to whom they belong. */
async function publishFeeFacts(
  { onFeeFacts }: PublishDependencies,
  { transactions }: DecodedBatch,
): Promise<void> {
  await onFeeFacts(transactions.map(({ decoded }) => decoded));
}
