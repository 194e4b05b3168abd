import { expect, test } from 'bun:test';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { readLog } from '../../src/features/streams/log/read-log.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { startReplicatedPostgres } from '../support/database/replicated-postgres.ts';
import { PoolChain, type PoolToken } from '../support/market/pool-chain.ts';
import { startWorkerProcess } from '../support/processes/service-processes.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';
import { type FollowingClient, followStreams } from '../support/streams/following-client.ts';

const TOKENS = 4;
const CLIENTS = 3;
/** Numbers of trades before the cut, until the standby takes over, and after. One page of the api holds those
 * of a token. */
const TRADES = { replicated: 40, lost: 120, after: 120 };
/** Trades in a round. The next round starts when they are stored, or at once while the database is down. */
const ROUND = 10;

/** A response of the api. It claims to list all trades before `asOf`. */
interface Claim {
  mintAddress: string;
  asOf: string;
  signatures: ReadonlySet<string>;
}

test('after an incomplete standby took over, no stream lost a trade without a gap, and no trade before asOf was missing', async () => {
  const [postgres, nats, chain] = await Promise.all([
    startReplicatedPostgres(),
    createTestNats(),
    PoolChain.start(100),
  ]);
  atEnd(() => chain.chain.stop());
  const { url } = await createTestDatabase(postgres.url);
  const db = connectDatabase(url, { applicationName: 'test', connections: 4 });
  atEnd(() => db.end({ timeout: 1 }));
  const traded = new Set(Array.from({ length: TOKENS }, () => chain.launch().signature));
  await storeTokens(db, chain.launched);
  const environment = {
    DATABASE_URL: url,
    NATS_URL: nats.url,
    SOLANA_RPC_URL: chain.chain.rpcUrl,
    SOLANA_WS_URL: chain.chain.socketUrl,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    INDEXER_REQUESTS_PER_SECOND: '1000',
    RATE_LIMITS: JSON.stringify(
      Object.fromEntries(
        ['stream-open', 'public-read-cheap'].map((name) => [name, { limit: 1_000_000, windowSeconds: 1 }]),
      ),
    ),
  };
  await startWorkerProcess(environment);
  const api = await startApiProcess(url, environment);
  const clients = Array.from({ length: CLIENTS }, () => followStreams(() => api.baseUrl, 'trades'));
  await Promise.all(clients.map((client) => client.reaches(0n)));
  const claims: Claim[] = [];
  const claiming = new AbortController();
  atEnd(async () => claiming.abort());
  const collecting = collectClaims(api.baseUrl, chain.launched, claims, claiming.signal);

  const trade = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      traded.add(chain.trade(at).signature);
      if (at % ROUND === ROUND - 1)
        await eventually('the trades are stored', async () => (await countTrades(db)) >= traded.size);
    }
  };
  await trade(TRADES.replicated);
  await postgres.catchUp();
  postgres.cutReplication();
  await trade(TRADES.lost);
  const lastBefore = await lastLogged(db);
  await Promise.all(clients.map((client) => client.reaches(lastBefore)));

  // Trades continue while the database is down.
  const trading = (async () => {
    for (let at = 0; at < TRADES.after; at += 1) traded.add(chain.trade(at).signature);
  })();
  await Promise.all([postgres.failOver(), trading]);
  await eventually(
    'every trade is stored',
    async () => (await countTrades(db).catch(() => 0)) === traded.size,
  );
  await trade(ROUND);
  const { epoch } = await readLog(db, null, 0);
  const logged = await db<{ id: bigint; ref: string }[]>`
    select id, ref from stream_log where kind = 'trade' order by id`;
  for (const client of clients) {
    await client.reaches(logged.at(-1)?.id ?? 0n, epoch);
    await client.stop();
    expect(missedWithoutGap(client, logged)).toEqual([]);
  }
  claiming.abort();
  await collecting;
  expect(await untrueClaims(db, claims)).toEqual([]);
}, 600_000);

async function storeTokens(db: Database, tokens: readonly PoolToken[]): Promise<void> {
  const mints = tokens.map(({ mintAddress }) => mintAddress);
  await db`
    insert into tokens (mint_address, pool_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status, created_at, updated_at)
    select mint, pool, mint, 'Promoted', 'WIRE', 6, 1000000000, 'dbc', 'bonding', now(), now()
    from unnest(${mints}::text[], ${tokens.map(({ poolAddress }) => poolAddress)}::text[]) as given (mint, pool)`;
  // Each token was launched with a trade, so no `asOf` exists yet.
  await db`insert into token_markets (mint_address, as_of) select mint_address, now() - interval '1 day' from tokens`;
}

async function countTrades(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from trades`;
  return row?.count ?? 0;
}

async function lastLogged(db: Database): Promise<bigint> {
  const [row] = await db<{ id: bigint }[]>`select max(id) as id from stream_log`;
  return row?.id ?? 0n;
}

async function collectClaims(
  baseUrl: string,
  tokens: readonly PoolToken[],
  claims: Claim[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const { mintAddress } of tokens) {
      const response = await fetch(`${baseUrl}/tokens/${mintAddress}/trades?limit=100`).catch(() => null);
      // Without its database the api makes no claims.
      if (response?.ok !== true) continue;
      const { asOf, data } = (await response.json()) as {
        asOf: string;
        data: { transactionSignature: string }[];
      };
      const signatures = new Set(data.map(({ transactionSignature }) => transactionSignature));
      claims.push({ mintAddress, asOf, signatures });
    }
  }
}

/** Trades before `asOf` that a claim did not list. */
async function untrueClaims(db: Database, claims: readonly Claim[]) {
  const trades = await db<{ mintAddress: string; signature: string; blockTime: Date }[]>`
    select mint_address, transaction_signature as signature, block_time from trades`;
  return claims.flatMap(({ mintAddress, asOf, signatures }) =>
    trades
      .filter((trade) => trade.mintAddress === mintAddress && trade.blockTime < new Date(asOf))
      .filter(({ signature }) => !signatures.has(signature))
      .map(({ signature, blockTime }) => ({ signature, blockTime, asOf })),
  );
}

/** Log entries that a stream left out although it reported no gap, since its last gap or its start. */
function missedWithoutGap(
  { messages }: Pick<FollowingClient, 'messages'>,
  logged: readonly { id: bigint; ref: string }[],
): string[] {
  const since = messages.slice(messages.findLastIndex(({ event }) => event === 'gap') + 1);
  const begun = BigInt(since.find(({ event }) => event === 'heartbeat')?.id?.split('.')[2] ?? 0);
  const told = new Set(since.flatMap(({ event, data }) => (event === 'trade' ? [data.id] : [])));
  return logged.filter(({ id, ref }) => id > begun && !told.has(ref)).map(({ ref }) => ref);
}
