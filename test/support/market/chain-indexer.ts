import type { NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { createChainRpcs } from '../../../src/chain/rpc.ts';
import type { StreamTimes } from '../../../src/chain/streams/keep-connected.ts';
import type { Database } from '../../../src/db/client.ts';
import { toDistribution } from '../../../src/features/fees/record.ts';
import { createOrderMoves } from '../../../src/features/orders/move-orders.ts';
import { recordMovements } from '../../../src/features/presales/record-movements.ts';
import { advanceLaunch } from '../../../src/features/tokens/advance-launch.ts';
import { findReportedPool } from '../../../src/features/tokens/announced-pool.ts';
import { type ReportedToken, upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import { createChainIndexing } from '../../../src/indexer/create-chain-indexing.ts';
import { FollowedSubjects } from '../../../src/indexer/followed/followed-subjects.ts';
import type { IngestDependencies } from '../../../src/indexer/ingest/dependencies.ts';
import { runIngest } from '../../../src/indexer/ingest/run-ingest.ts';
import type { ChainIndexing } from '../../../src/indexer/pool-history/indexer-metrics.ts';
import type { ReadLimits } from '../../../src/indexer/pool-history/pool-reader.ts';
import type { QuietProof } from '../../../src/indexer/pool-history/quiet-sweep.ts';
import { type ChainIndexerContext, runChainIndexer } from '../../../src/indexer/run-chain-indexer.ts';
import type { SteadyTime } from '../../../src/indexer/steady-time.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { namedNode } from '../../../src/shared/node-address.ts';
import { pacedSlot } from '../chain/nominal-pace.ts';
import type { CurveFixture, ExpectedTrade, RecordedTransaction } from '../pools/curve-fixtures.ts';
import { silentLog } from '../processes/worker-context.ts';
import { fastTime } from '../run/fast-time.ts';
import { signatureOf } from './market-arbitraries.ts';

const outbox = createOutbox(
  { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' },
  systemClock,
);

interface KnownToken {
  name: string;
  pool: { mintAddress: string; decimals: number; poolAddress?: string };
}

/** Stores the fixture's token, still on its curve. */
export async function knowToken(
  db: Database,
  { name, pool }: KnownToken,
  report: Partial<ReportedToken> = {},
): Promise<void> {
  await db.begin((transaction) =>
    upsertToken(transaction, outbox, systemClock, {
      ...pool,
      creatorWallet: pool.mintAddress,
      name,
      symbol: 'WIRE',
      totalSupply: '1000000000',
      launchType: 'dbc',
      status: 'bonding',
      ...report,
    }),
  );
}

export interface IndexerRun {
  /** JSON log lines of the indexer. */
  readonly logged: { msg: string; [field: string]: unknown }[];
  /** Unusable data, by kind and reason. */
  readonly unused: string[];
  readonly indexing: ChainIndexing;
  /** Proofs of sweeps. */
  readonly quiet: QuietProof[];
  stop(): Promise<void>;
}

export interface IndexerOptions {
  limits?: ReadLimits;
  ingests?: boolean;
  /** Without sockets, only sweeps and walks find transactions. */
  socketUrls?: readonly string[];
  head?: () => bigint | null;
  requestsPerSecond?: number;
  streamTimes?: StreamTimes;
  time?: SteadyTime;
}

/** Starts a chain indexer over these nodes. With `ingests`, its messages become rows. */
export function startIndexer(
  { db, connection }: { db: Database; connection: NatsConnection },
  urls: readonly string[],
  {
    limits,
    ingests = true,
    socketUrls = [],
    head = () => null,
    requestsPerSecond = 1_000,
    streamTimes,
    time = fastTime,
  }: IndexerOptions = {},
): IndexerRun {
  const stop = new AbortController();
  const logged: IndexerRun['logged'] = [];
  const unused: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const rpcs = createChainRpcs(urls);
  const context: IngestDependencies & ChainIndexerContext = {
    db,
    outbox,
    clock: systemClock,
    rpcs,
    upsertToken,
    findReportedPool: (token) => findReportedPool(db, { rpcs, clock: systemClock }, token),
    describeFeeDistribution: toDistribution,
    recordMovements,
    onTokensChanged: () => {},
    followed: new FollowedSubjects(),
    onTradesQueued: () => {},
    orders: createOrderMoves({ outbox, clock: systemClock }),
    onOrdersTriggered: () => {},
    onStakingChanged: () => {},
    onPresalesChanged: () => {},
  };
  const { signal } = stop;
  const quiet: QuietProof[] = [];
  const indexing = createChainIndexing(
    {
      solanaNodes: urls.map((url) => ({ ...namedNode(url), isProtected: false })),
      solanaSocketUrls: socketUrls,
      geyserUrl: undefined,
      geyserToken: undefined,
      indexerRequestsPerSecond: requestsPerSecond,
    },
    {
      head: () => pacedSlot(head()),
      log,
      signal,
      time,
      ...(streamTimes === undefined ? {} : { streamTimes }),
    },
  );
  const running = [
    runChainIndexer({
      connection,
      context,
      advanceLaunch,
      describeFeeDistribution: toDistribution,
      indexing,
      head: () => pacedSlot(head()),
      onQuietPoolsProven: (proof) => void quiet.push(proof),
      log,
      signal,
      onUnused: (kind, reason) => void unused.push(`${kind} ${reason}`),
      ...(limits === undefined ? {} : { limits }),
    }),
  ];
  if (ingests) running.push(runIngest({ connection, dependencies: context, log: silentLog, signal }));
  return {
    logged,
    unused,
    indexing,
    quiet,
    async stop() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

/** Trades of a token in chain order, in the shape of the fixtures. */
export async function storedTrades(
  db: Database,
  { pool }: { pool: { mintAddress: string; poolAddress?: string } },
): Promise<ExpectedTrade[]> {
  const rows = await db`
    select type, trader_wallet, mint_address, ${pool.poolAddress ?? null} as pool_address,
      trim_scale(sol_amount)::text as sol_amount, trim_scale(token_amount)::text as token_amount,
      trim_scale(price_per_token_in_sol)::text as price_per_token_in_sol,
      trim_scale(spot_price_in_sol)::text as spot_price_in_sol,
      outer_index, inner_index, slot::int, transaction_signature as signature
    from trades where mint_address = ${pool.mintAddress}
    order by slot, transaction_index, outer_index, inner_index`;
  return rows.map((row) => ({ ...row }) as ExpectedTrade);
}

export function expectedTrades({ steps }: CurveFixture): ExpectedTrade[] {
  return steps.flatMap(({ expected }) => expected.trades);
}

export function transactionsOf({ steps }: CurveFixture): RecordedTransaction[] {
  return steps.map(({ transaction }) => transaction);
}

/** Copies of the fixture's last trade as separate transactions, one or two a slot. */
export function moreTransactions(fixture: CurveFixture, count: number, from = 0): RecordedTransaction[] {
  const last = fixture.steps.findLast(({ expected }) => expected.trades.length > 0)?.transaction;
  if (last === undefined) throw new Error(`${fixture.name} has no trade`);
  return Array.from({ length: count }, (_, at) => {
    const { transactionIndex: _unknown, ...copy } = structuredClone(last);
    copy.slot += 1 + Math.floor(((from + at) * 2) / 3);
    copy.transaction.signatures = [signatureOf(1_000 + from + at)];
    return copy;
  });
}
