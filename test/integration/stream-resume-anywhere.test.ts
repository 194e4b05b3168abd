import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readLog } from '../../src/features/streams/log/read-log.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';
import { openSocket } from '../support/streams/socket-client.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 8);
/** Ends a hang. */
const TIMEOUT_MS = 600_000 + 10_000 * RUNS;
const ENVIRONMENT = {
  STREAMS_PER_ADDRESS: '1000',
  RATE_LIMITS: '{"stream-open":{"limit":100000,"windowSeconds":1}}',
};
let market: MarketApi;

beforeAll(async () => {
  market = await startMarketApi();
});

const count = (most: number, ...special: number[]) =>
  fc.oneof(fc.integer({ min: 1, max: most }), fc.constantFrom(...special));
/** Where in the log of the run so far, from its beginning to its end. */
const age = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1));
const step = fc.oneof(
  // Around a page of catching up.
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('write' as const), count: count(30, 499, 500, 501) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('roll back' as const), count: count(5, 600) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('others write' as const), count: count(600, 600) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('trim' as const), through: age }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('kill' as const), wasLong: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('resume' as const),
      after: age,
      asSocket: fc.boolean(),
      /** The log is trimmed up to there while the stream catches up. */
      trimmed: fc.option(age, { freq: 4 }),
    }),
  },
);

/** More than two pages of catching up, which the process has not in memory. */
const LONG_PAST = [{ kind: 'write', count: 1_001 } as const, { kind: 'kill', wasLong: true } as const];

interface Gap {
  reason: string;
  from: string | null;
}

/** A token, its trades, and the process that serves its stream. */
class Run {
  readonly #mint: string;
  readonly #start: bigint;
  /** Its trades in the order of the log, also those that are deleted there. */
  readonly #written: { id: bigint; ref: string }[] = [];
  #api: TestApi;
  /** Whether the log was trimmed since the process started. */
  #isTrimmedSince = false;

  constructor(mint: string, start: bigint, api: TestApi) {
    this.#mint = mint;
    this.#start = start;
    this.#api = api;
  }

  static async begin(): Promise<Run> {
    const mint = await market.launch();
    return new Run(mint, await head(), await startApi());
  }

  async end(): Promise<void> {
    await this.#api.stop();
  }

  async write(many: number): Promise<string[]> {
    const trades = market.newTrades(this.#mint, many);
    await market.store(trades);
    const last = this.#written.at(-1)?.id ?? this.#start;
    const logged = await market.api.dependencies.database<{ id: bigint; ref: string }[]>`
      select id, ref from stream_log where kind = 'trade' and mint_address = ${this.#mint} and id > ${last} order by id`;
    this.#written.push(...logged);
    return trades.map(({ id }) => id);
  }

  /** As a worker does that is killed: the ids are gone. */
  async rollBack(many: number): Promise<void> {
    const killed = new Error('killed');
    await market.api.dependencies.database
      .begin(async (transaction) => {
        await storeTrades(transaction, market.newTrades(this.#mint, many));
        throw killed;
      })
      .catch((error: unknown) => {
        if (error !== killed) throw error;
      });
  }

  /** @param wasLong what the process that replaces it finds is more than it reads into memory */
  async kill(wasLong: boolean): Promise<void> {
    await this.#api.stop();
    if (wasLong) await othersWrite(5_000);
    this.#api = await startApi();
    this.#isTrimmedSince = false;
  }

  /** Where it began, after one of the trades, or the end. */
  async place(at: number): Promise<bigint> {
    const places = [this.#start, ...this.#written.map(({ id }) => id), await head()];
    return places[Math.round((places.length - 1) * at)] ?? this.#start;
  }

  async trim(at: number): Promise<void> {
    const through = await this.place(at);
    const { database } = market.api.dependencies;
    await database`update stream_log set at = now() - interval '21 minutes' where id <= ${through}`;
    await database`select trim_stream_log(now() - interval '20 minutes', 1000000, 100000)`;
    this.#isTrimmedSince = true;
  }

  /** Comes back with the cursor of a place, and goes on until something new has come. */
  async resume(after: bigint, asSocket: boolean, trimmed: number | null): Promise<void> {
    const { deletedThrough, deletedAt, epoch } = await progress();
    const isDeleted = after < deletedThrough;
    const missed = this.#written.filter(({ id }) => id > after).map(({ ref }) => ref);
    const url = `${this.#api.baseUrl}/stream?topics=trades:${this.#mint}&cursor=1.${epoch}.${after}`;
    const opening = asSocket ? openSocket(url) : openEventStream(url);
    const trimming = trimmed === null ? null : this.trim(trimmed);
    const client = await opening;
    await trimming;
    await client.find(({ event }) => event === 'heartbeat');
    const live = await this.write(2);
    await client.find(({ data, snapshot }) => data?.id === live.at(-1) && snapshot === undefined);
    client.close();
    const { told, gap, toldBefore } = read(client.messages);
    const place = `${after} of ${deletedThrough}`;
    if (gap === null) {
      expect([place, told]).toEqual([place, [...missed, ...live]]);
      // What a process has in memory it can tell though it is deleted.
      expect(isDeleted && !this.#isTrimmedSince).toBe(false);
      return;
    }
    expect([place, isDeleted || trimming !== null]).toEqual([place, true]);
    expect(gap.reason).toBe('expired');
    if (trimming === null) expect(gap.from).toBe(deletedAt?.toISOString() ?? '');
    // In a gap, too, nothing comes twice or out of order.
    expect(told).toEqual([...missed.slice(0, toldBefore), ...live]);
    if (isDeleted) expect(toldBefore).toBe(0);
  }
}

const startApi = () => startTestApi({ database: market.api.database, environment: ENVIRONMENT });

const progress = () => readLog(market.api.dependencies.database, null, 0);
const head = async () => (await progress()).completeThrough;

/** The trades that came outside snapshots, the gap if there was one, and how many trades came before it. */
function read(messages: readonly ReceivedMessage[]) {
  const isTold = ({ event, snapshot }: ReceivedMessage) => event === 'trade' && snapshot === undefined;
  const gapAt = messages.findIndex(({ event }) => event === 'gap');
  return {
    told: messages.filter(isTold).map(({ data }) => data.id as string),
    gap: (messages[gapAt] as Gap | undefined) ?? null,
    toldBefore: messages.slice(0, Math.max(0, gapAt)).filter(isTold).length,
  };
}

test(
  'a stream that comes back gets exactly its missed messages in order, or a gap, through any writes, rollbacks, deletions and kills',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const run = await Run.begin();
        try {
          for (const next of [...LONG_PAST, ...steps]) {
            if (next.kind === 'write') await run.write(next.count);
            else if (next.kind === 'roll back') await run.rollBack(next.count);
            else if (next.kind === 'others write') await othersWrite(next.count);
            else if (next.kind === 'trim') await run.trim(next.through);
            else if (next.kind === 'kill') await run.kill(next.wasLong);
            else await run.resume(await run.place(next.after), next.asSocket, next.trimmed);
          }
        } finally {
          await run.end();
        }
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

async function othersWrite(many: number): Promise<void> {
  await market.api.database.sql`
    insert into stream_log (kind, mint_address, at)
    select 'token', 'another', now() from (select announce_stream_log()) as announced, generate_series(1, ${many}::int)`;
}
