import { DAMM_V2 } from '../../chain/accounts/programs.ts';
import type { DecodedTransaction } from '../decode/decode-transaction.ts';
import type { Migration } from '../decode/decoded-transaction.ts';
import type { TokenPool } from '../decode/known-pools.ts';
import { applyBalances } from '../holders/apply-balances.ts';
import { endPosition } from '../market/indexed-trade.ts';
import { type ShownLiquidity, storeLiquidity } from '../store/markets.ts';
import { poolProgramOf, storeAmmPool } from '../store/token-pools.ts';
import type {
  BatchPublisher,
  DecodedBatch,
  LaunchFact,
  PlacedTransaction,
  PublishDependencies,
} from './batch-publisher.ts';
import { moveCursor, type PoolCursor } from './pool-cursor.ts';
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
 * Publishes what transactions of a pool did and then moves its cursor past them. After a crash before the last step
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

/**
 * Stores the SOL in the pool where a transaction moved it without a trade: at the migration, and when a provider adds
 * or takes some. Liquidity that went into an AMM that is not read is unknown from then on, never what it was before.
 */
async function publishLiquidity(
  { db, onTokensChanged }: PublishDependencies,
  { pool, transactions }: DecodedBatch,
): Promise<void> {
  const last = transactions.map((one) => shownBy(one, pool)).findLast((shown) => shown !== null);
  if (last != null && (await storeLiquidity(db, last))) onTokensChanged([last.mintAddress]);
}

function shownBy(
  { decoded, record, transactionIndex }: PlacedTransaction,
  { poolAddress, mintAddress }: DecodedBatch['pool'],
): ShownLiquidity | null {
  if (decoded === null) return null;
  const position = endPosition({ slot: record.slot, transactionIndex });
  const migration = decoded.migrations.at(-1);
  if (migration !== undefined && migration.ammProgram !== DAMM_V2)
    return { mintAddress, liquidityInSol: null, position };
  const liquidityInSol = decoded.liquidityInSol.get(migration?.ammPoolAddress ?? poolAddress);
  return liquidityInSol === undefined ? null : { mintAddress, liquidityInSol, position };
}

/** Keeps the claims of fees in the transactions, and the facts that say whose they are. */
async function publishFeeFacts(
  { onFeeFacts }: PublishDependencies,
  { transactions }: DecodedBatch,
): Promise<void> {
  await onFeeFacts(transactions.map(({ decoded }) => decoded));
}

/** Brings the token up to what its curve has shown. */
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

/** Makes the AMM pool known that the liquidity of a curve went into, so that it is read from then on. */
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

/** Counts events and swaps in the transactions that cannot be used. */
async function countUndecoded(
  { undecoded }: PublishDependencies,
  { pool, transactions }: DecodedBatch,
): Promise<void> {
  for (const { record, decoded } of transactions)
    if (decoded !== null) undecoded.record(pool.poolAddress, record.signature, decoded);
}
