import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Database, Transaction } from '../../src/db/client.ts';
import { beginFollowing } from '../../src/features/streams/following/begin-following.ts';
import { catchUp } from '../../src/features/streams/following/catch-up.ts';
import { FollowedDeliveries } from '../../src/features/streams/following/follow-deliveries.ts';
import { LogFollower } from '../../src/features/streams/following/follow-log.ts';
import { deleteOldEntries } from '../../src/features/streams/log/delete-old-entries.ts';
import { type LogFilter, readLog, readPast } from '../../src/features/streams/log/read-log.ts';
import type { StreamMessage } from '../../src/features/streams/messages/stream-message.ts';
import { StreamReader } from '../../src/features/streams/readers/reader.ts';
import type { RecordSources } from '../../src/features/streams/record-sources.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { Gate } from '../../src/shared/gate.ts';
import { untilBlockedBy } from '../support/database/held-locks.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { openDatabase, silentLog } from '../support/processes/worker-context.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { eventually } from '../support/run/eventually.ts';

let db: Database;

beforeAll(async () => {
  db = await openDatabase();
});

/** Everything in the log, complete or not. */
const written = async () =>
  (await db<{ id: bigint }[]>`select id from stream_log order by id`).map(({ id }) => id);
const head = async () => (await readLog(db, null, 0)).completeThrough;

/** Writes an entry as triggers do. */
const write = (on: Pick<Database, 'unsafe'>) =>
  on.unsafe(
    `insert into stream_log (kind, mint_address, ref, at)
      select 'trade_reverted', 'a mint', gen_random_uuid(), now() from (select announce_stream_log()) as announced`,
  );

/** Nothing is known of any record, and every token is visible: reversals alone have messages. */
const sources = new Proxy({} as RecordSources, {
  get: (_target, name) => async (mints: readonly string[]) => {
    if (name === 'visibleMints') return new Set(mints);
    return name === 'bars' ? [] : new Map();
  },
});

/** Follows the log as fast as it can, and lets one client come back again and again. */
class Following {
  readonly told: bigint[] = [];
  /** Where a position moved back, or was not that of the log. */
  readonly faults: string[] = [];
  readonly #start: bigint;
  readonly #epoch: string;
  #follower: LogFollower | null = null;
  #reader: StreamReader | null = null;
  #attached: StreamReader | null = null;

  constructor(start: bigint, epoch: string) {
    this.#start = start;
    this.#epoch = epoch;
  }

  /** The client loses its connection, or with it the process: another one goes on. Resolves when it follows the log. */
  async begin(isProcessNew: boolean): Promise<void> {
    this.#reader?.end(null);
    if (isProcessNew || this.#follower === null) {
      const before = this.#follower;
      this.#follower = this.#follow();
      await before?.stop();
    }
    const { told } = this;
    const reader = newReader((messages) => {
      for (const { place } of messages) if (place > 0n) told.push(place);
      return true;
    });
    this.#reader = reader;
    const after = { epoch: this.#epoch, id: told.at(-1) ?? this.#start };
    this.#follower.join({ reader, topics: [{ text: 'trades', kind: 'trades' }], after, greeting: null });
    await eventually('the client follows', async () => this.#attached === reader);
  }

  get hasBegun(): boolean {
    return this.#follower !== null && this.#follower.place !== null;
  }

  /** Waits until the reader has every entry that was written after this id, and returns their ids. */
  async untilTold(start: bigint): Promise<bigint[]> {
    const all = (await written()).filter((id) => id > start);
    await eventually('everything is told', async () => this.told.length >= all.length);
    return all;
  }

  async end(): Promise<void> {
    this.#reader?.end(null);
    await this.#follower?.stop();
  }

  #follow(): LogFollower {
    let reached = 0n;
    const place = () => follower.place ?? { id: -1n, entryId: -1n };
    const follower: LogFollower = new LogFollower({
      db,
      sources,
      clock: systemClock,
      log: silentLog,
      pageEntries: 4,
      onSent: () => {
        const { id, entryId } = place();
        if (id < reached || entryId > id) this.faults.push(`from ${reached} to ${id}, after ${entryId}`);
        reached = id;
        follower.wake();
      },
      onAttached: (reader) => {
        if (reader.place !== place().id)
          this.faults.push(`begins at ${reader.place} instead of ${place().id}`);
        this.#attached = reader;
      },
      onLost: () => this.faults.push('lost'),
    });
    return follower;
  }
}

function newReader(send: (messages: readonly StreamMessage[]) => boolean): StreamReader {
  return new StreamReader({
    subject: 'a reader',
    sink: { send, end: () => {} },
    transport: 'sse',
    bufferBytes: 1_000_000,
    stallMs: 60_000,
    onSlow: () => expect.unreachable(),
    onConflated: () => {},
    onEnded: () => {},
  });
}

/** Announces what it writes as the database does, with something between the look at the last id and the lock. */
async function announceLate(sql: Transaction, meanwhile: () => Promise<unknown>): Promise<void> {
  const [last] = await sql<{ id: bigint }[]>`
    select coalesce(pg_sequence_last_value('stream_log_id_seq'), 0)::int8 as id`;
  await meanwhile();
  await sql`select pg_advisory_xact_lock_shared(7201960, (${last?.id ?? 0n}::int8 & 2147483647)::int4),
    set_config('launchwire.stream_log', 'announced', true)`;
}

async function pause(sql: Database | Transaction, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await sql`select 1`;
}

describe('the log', () => {
  test('tells each message once and in order, and never moves back, during any writes, rollbacks, returns of clients and restarts', async () => {
    const transaction = fc.record({
      begins: fc.integer({ min: 0, max: 8 }),
      /** Pauses before its announcement counts; null if there is none. */
      late: fc.option(fc.integer({ min: 1, max: 10 })),
      writes: fc.integer({ min: 1, max: 3 }),
      lasts: fc.integer({ min: 0, max: 6 }),
      commits: fc.boolean(),
      /** Whether the client comes back when it has ended, and to a new process. */
      returns: fc.constantFrom('no', 'no', 'to the process', 'to another'),
    });
    await write(db);
    await fc.assert(
      fc.asyncProperty(fc.array(transaction, { minLength: 2, maxLength: 12 }), async (transactions) => {
        const { completeThrough: start, epoch } = await readLog(db, null, 0);
        const following = new Following(start, epoch);
        await following.begin(true);
        let turn = Promise.resolve();
        await Promise.all(
          transactions.map(async ({ begins, late, writes, lasts, commits, returns }) => {
            await pause(db, begins);
            await db
              .begin(async (sql) => {
                if (late !== null) await announceLate(sql, () => pause(sql, late));
                for (let at = 0; at < writes; at += 1) await write(sql);
                await pause(sql, lasts);
                if (!commits) throw new Error('rolled back');
              })
              .catch((error: Error) => {
                if (error.message !== 'rolled back') throw error;
              });
            if (returns !== 'no') turn = turn.then(() => following.begin(returns === 'to another'));
          }),
        );
        await turn;
        // The end of the log moves back below entries that the reader has already, and another process begins there.
        let back = Promise.resolve();
        await db.begin(async (sql) => {
          await announceLate(sql, () => write(db).then(() => following.untilTold(start)));
          back = following.begin(true);
          await eventually('another process follows', async () => following.hasBegun);
          await write(sql);
        });
        await back;
        await following.untilTold(start);
        await following.begin(false);
        await write(db);
        const all = await following.untilTold(start);
        await following.end();
        expect([following.faults, following.told]).toEqual([[], all]);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  test('is followed from its present end, and what lies before it is held', async () => {
    for (let at = 0; at < 3; at += 1) await write(db);
    const rolledBack = db.begin(async (sql) => {
      await write(sql);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    for (const pageLimit of [2, 1_000]) {
      const { id, window } = await beginFollowing(db, pageLimit, systemClock);
      expect(id).toBe(await head());
      const held = window.after(window.start).map((entry) => entry.id);
      expect(held).toEqual((await written()).filter((entry) => entry > window.start));
      expect(held.length).toBeGreaterThan(2);
    }
  });

  test('waits for a transaction that may still write below, and for no other', async () => {
    const start = await head();
    await db.begin(async (slow) => {
      await write(slow);
      // Another transaction of the database writes something else meanwhile, and stays open.
      await db.begin(async (other) => {
        await other`create table unrelated (id int)`;
        await write(db);
        expect((await readLog(db, start, 10)).entries).toEqual([]);
        await other`drop table unrelated`;
      });
    });
    expect((await readLog(db, start, 10)).entries.length).toBe(2);
    await db.begin(async (other) => {
      await other`create table unrelated (id int)`;
      const before = await head();
      await write(db);
      expect((await readLog(db, before, 10)).entries.length).toBe(1);
      await other`drop table unrelated`;
    });
  });

  test('waits for the disk where its transaction would not', async () => {
    await db.begin(async (sql) => {
      await sql`set local synchronous_commit = off`;
      await write(sql);
      expect([...(await sql`show synchronous_commit`)]).toEqual([{ synchronousCommit: 'on' }]);
    });
  });

  test('holds an event of an account, an intent beside its event, and no event of one endpoint alone', async () => {
    const accountId = await insertAccount(db);
    const start = await head();
    const type = (name: string) => `build.service.${name}.v1`;
    const own = await insertEvent(db, { type: type('operation.succeeded'), accountId });
    const intent = await insertEvent(db, { type: type('transaction_intent.confirmed'), accountId });
    await insertEvent(db, { type: type('webhook.ping'), accountId, onlyEndpointId: own });
    const { entries } = await readLog(db, start, 10);
    expect(entries.map(({ kind, ref, accountId: of }) => [kind, ref, of])).toEqual([
      ['event', own, accountId],
      ['event', intent, accountId],
      ['intent', intent, accountId],
    ]);
  });

  test('holds results of deliveries of accounts that follow them, and no claims', async () => {
    const accountId = await insertAccount(db);
    await new FollowedDeliveries(db).follow(accountId);
    const endpointId = await insertEndpoint(db, { accountId });
    const eventId = await insertEvent(db, { accountId });
    const start = await head();
    const id = await insertDelivery(db, { endpointId, eventId });
    const claim = db`update webhook_deliveries set status = 'processing', next_attempt_at = null,
      lease_expires_at = now() + interval '1 minute' where id = ${id}`;
    await claim;
    await db`update webhook_deliveries set lease_expires_at = now() + interval '2 minutes' where id = ${id}`;
    await db`update webhook_deliveries set status = 'succeeded', lease_expires_at = null, attempt_count = 1,
      delivered_at = now() where id = ${id}`;
    const { entries } = await readLog(db, start, 10);
    expect(entries.map(({ kind, ref, accountId: of }) => [kind, ref, of])).toEqual([
      ['delivery', id, accountId],
      ['delivery', id, accountId],
    ]);
  });

  test('holds no delivery of an account that does not follow them, or no longer does', async () => {
    const [silent, former] = [await insertAccount(db), await insertAccount(db)];
    await new FollowedDeliveries(db).follow(former);
    await db`update stream_followers set until = now() - interval '1 second'`;
    const start = await head();
    for (const accountId of [silent, former]) {
      const endpointId = await insertEndpoint(db, { accountId });
      await insertDelivery(db, { endpointId, eventId: await insertEvent(db, { accountId }) });
    }
    const { entries } = await readLog(db, start, 10);
    expect(entries.map(({ kind }) => kind)).toEqual(['event', 'event']);
  });

  test('holds every delivery that is committed after following began, also one that was written before', async () => {
    const accountId = await insertAccount(db);
    const endpointId = await insertEndpoint(db, { accountId });
    const eventId = await insertEvent(db, { accountId });
    const id = await insertDelivery(db, { endpointId, eventId });
    const order: string[] = [];
    let following = Promise.resolve();
    await db.begin(async (slow) => {
      await slow`update webhook_deliveries set replay_count = 1, updated_at = now() where id = ${id}`;
      following = new FollowedDeliveries(db).follow(accountId).then(() => void order.push('followed'));
      await untilBlockedBy(slow, 'following waits');
      order.push('committed');
    });
    await following;
    expect(order).toEqual(['committed', 'followed']);
    const start = await head();
    await db`update webhook_deliveries set replay_count = 2, updated_at = now() where id = ${id}`;
    expect((await readLog(db, start, 10)).entries.map(({ ref }) => ref)).toEqual([id]);
  });

  test('is trimmed from its beginning, and remembers how far', async () => {
    await write(db);
    const first = (await written())[0] ?? 0n;
    await db`update stream_log set at = now() - interval '1 hour'`;
    const through = (await written()).at(-1) ?? 0n;
    await write(db);
    while ((await deleteOldEntries(db, systemClock.now(), 5)) > 0);
    expect((await written()).length).toBe(1);
    const page = await readLog(db, through, 10);
    expect(page).toMatchObject({ deletedThrough: through, entries: [{ kind: 'trade_reverted' }] });
    const everything = { mints: [], kinds: ['trade_reverted' as const], wallets: [], accountId: null };
    const from = (after: bigint) =>
      readPast(db, { after, through: page.completeThrough, limit: 10 }, everything);
    expect((await from(first)).whole).toBe(false);
    expect(await from(through)).toMatchObject({ whole: true, entries: [{ kind: 'trade_reverted' }] });
  });

  test('shows a stream the entries of its tokens, of its kinds for everyone, and of its account, and no others', async () => {
    const [own, stranger] = [await insertAccount(db), await insertAccount(db)];
    const after = await head();
    await db`
      insert into stream_log (kind, mint_address, account_id, ref, at)
      select kind, mint, account::uuid, gen_random_uuid(), now() from (select announce_stream_log()) as announced,
        (values ('trade', 'mine', null), ('trade', 'other', null), ('event', null, null), ('event', null, ${own}),
          ('event', null, ${stranger}), ('intent', null, ${own}), ('intent', null, ${stranger}))
          as entry (kind, mint, account)`;
    const through = await head();
    const [ofMine, ofOther, publicEvent, ownEvent, strangeEvent, ownIntent] = await written().then((ids) =>
      ids.filter((id) => id > after),
    );
    if (ownIntent === undefined || ofOther === undefined) return expect.unreachable();
    const past = async (filter: Partial<LogFilter>, range = {}) => {
      const asked = { mints: [], kinds: [], wallets: [], accountId: null, ...filter };
      const { entries, whole } = await readPast(db, { after, through, limit: 10, ...range }, asked);
      expect(whole).toBe(true);
      return entries.map(({ id }) => id);
    };
    expect(await past({})).toEqual([]);
    expect(await past({ mints: ['mine'] })).toEqual([ofMine] as bigint[]);
    expect(await past({ kinds: ['trade'] })).toEqual([ofMine, ofOther] as bigint[]);
    // A kind is what everyone may see of it: what is of an account is for that account.
    expect(await past({ kinds: ['event', 'intent'] })).toEqual([publicEvent] as bigint[]);
    expect(await past({ accountId: own })).toEqual([ownEvent, ownIntent] as bigint[]);
    const all = { mints: ['mine'], kinds: ['event' as const], accountId: own };
    expect(await past(all)).toEqual([ofMine, publicEvent, ownEvent, ownIntent] as bigint[]);
    expect(await past(all, { after: ofMine, through: strangeEvent })).toEqual([
      publicEvent,
      ownEvent,
    ] as bigint[]);
    expect(await past(all, { limit: 2 })).toEqual([ofMine, publicEvent] as bigint[]);
  });

  test('that is trimmed between two pages of a stream that catches up ends that in a gap, and the stream begins anew', async () => {
    const after = await head();
    await db`
      insert into stream_log (kind, mint_address, ref, slot, at)
      select 'trade', 'long', gen_random_uuid(), 1, now() from (select announce_stream_log()) as announced, generate_series(1, 501)`;
    const through = await head();
    const { epoch } = await readLog(db, null, 0);
    const sent: StreamMessage[] = [];
    const reader = newReader((messages) => sent.push(...messages) > 0);
    let trims = 0;
    // Nothing is known of what it reads, and the first page is trimmed meanwhile.
    const trimming = new Proxy({} as RecordSources, {
      get: (_target, name) => async (asked: readonly unknown[]) => {
        if (asked.length > 0 && trims === 0) {
          trims += 1;
          await db`update stream_log set at = now() - interval '1 hour'`;
          while ((await deleteOldEntries(db, systemClock.now(), 1_000)) > 0);
        }
        return name === 'bars' ? [] : new Map();
      },
    });
    const join = {
      reader,
      topics: [{ text: 'trades', kind: 'trades' as const }],
      after: null,
      greeting: null,
    };
    const from = { epoch, id: after };
    const gate = new Gate({ runningMax: 1 });
    const caughtUp = await catchUp(join, from, {
      db,
      sources: trimming,
      gate,
      head: () => through,
      held: () => null,
    });
    reader.flush();
    expect([trims, caughtUp.after]).toEqual([1, null]);
    expect(sent.map(({ text }) => text)).toEqual([expect.stringContaining('"reason":"expired"')]);
  });

  test('is kept for 15 minutes, whoever asks for less', async () => {
    const trim = db`select trim_stream_log(now() - interval '14 minutes', 1000000, 10)`;
    await expect(trim.execute()).rejects.toThrow('is kept for at least 15 minutes');
  });
});
