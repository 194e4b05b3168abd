import { expect, test } from 'bun:test';
import { advisoryLocks, LockLost, withAdvisoryLock } from '../../src/db/advisory-lock.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { withShardLocks } from '../../src/db/shard-locks.ts';
import { untilAborted } from '../../src/shared/loop.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const SHARDS = 16;
const lock = advisoryLocks.chainIndexer;
/** Longer than a machine stands still: only the tests end sessions. */
const times = { heartbeatMs: 100, silenceMs: 60_000 };

interface Member {
  readonly name: string;
  readonly pool: Database;
  held: ReadonlySet<number>;
  /** Its transactions are fenced. Null before it has begun. */
  database: Database | null;
  hasLost: boolean;
  /** What `hold` waits for. */
  release: Promise<void>;
  /** It works no more, like a killed process. Its session has to be ended too. */
  die(): void;
  leave(): Promise<void>;
}

interface Division {
  url: string;
  join(name: string): Member;
  /** Who worked on a shard while another did. */
  readonly conflicts: string[];
}

async function createDivision(): Promise<Division> {
  const { url } = await createTestDatabase();
  const workers = new Map<number, string>();
  const conflicts: string[] = [];
  function join(name: string): Member {
    const stop = new AbortController();
    const pool = connectDatabase(url, { applicationName: name, connections: 3 });
    const member: Member = {
      name,
      pool,
      held: new Set(),
      database: null,
      hasLost: false,
      release: Promise.resolve(),
      die: () => forget(),
      leave: async () => {
        stop.abort();
        await running;
      },
    };
    const forget = () => {
      for (const [shard, worker] of workers) if (worker === name) workers.delete(shard);
      member.held = new Set();
    };
    const running = withShardLocks(pool, { lock, shardCount: SHARDS, times }, ({ signal, database }) => {
      member.database = database;
      return {
        running: untilAborted(AbortSignal.any([stop.signal, signal])).then(forget),
        async hold(shards) {
          await member.release;
          for (const shard of member.held) if (!shards.has(shard)) workers.delete(shard);
          for (const shard of shards) {
            const other = workers.get(shard) ?? name;
            if (other !== name) conflicts.push(`${shard}: ${other} and ${name}`);
            workers.set(shard, name);
          }
          member.held = shards;
        },
      };
    }).catch(() => {
      member.hasLost = true;
    });
    atEnd(async () => {
      await member.leave();
      await pool.end();
    });
    return member;
  }
  return { url, join, conflicts };
}

const sizes = (members: readonly Member[]) => members.map(({ held }) => held.size).sort((a, b) => b - a);

/** All shards are held, each by one of the members, and none holds more than its even share. */
async function untilEven(members: readonly Member[]): Promise<void> {
  const share = Math.ceil(SHARDS / members.length);
  await eventually(`an even division among ${members.length}`, async () => {
    const held = members.flatMap((member) => [...member.held]);
    return held.length === SHARDS && members.every((member) => member.held.size <= share);
  });
  expect(new Set(members.flatMap((member) => [...member.held])).size).toBe(SHARDS);
}

/** Ends the session of a member, as the server does when its process is killed. */
async function kill(by: Database, name: string): Promise<void> {
  await by`
    select pg_terminate_backend(a.pid) from pg_stat_activity a join pg_locks l using (pid)
    where a.application_name = ${name} and l.locktype = 'advisory' and l.objid = ${lock} and l.objsubid = 1`;
}

test('whoever comes and goes, each shard soon has exactly one holder, evenly, and never two at once', async () => {
  const { join, conflicts } = await createDivision();
  const first = join('first');
  await untilEven([first]);
  const second = join('second');
  await untilEven([first, second]);
  const third = join('third');
  await untilEven([first, second, third]);
  expect(sizes([first, second, third])[0]).toBe(6);
  second.die();
  await kill(third.pool, 'second');
  await untilEven([first, third]);
  await eventually('the loss', async () => second.hasLost);
  await first.leave();
  await untilEven([third]);
  expect(conflicts).toEqual([]);
});

test('more processes than shards hold one each, and the others wait for one', async () => {
  const { join, conflicts } = await createDivision();
  const members = Array.from({ length: SHARDS + 2 }, (_, at) => join(`member ${at}`));
  await untilEven(members);
  expect(sizes(members).slice(-2)).toEqual([0, 0]);
  const holder = members.find(({ held }) => held.size === 1);
  await holder?.leave();
  await untilEven(members.filter((member) => member !== holder));
  expect(conflicts).toEqual([]);
});

test('a shard is given to another process only when the work on it has ended', async () => {
  const { join, conflicts } = await createDivision();
  const first = join('first');
  await untilEven([first]);
  const busy = Promise.withResolvers<void>();
  first.release = busy.promise;
  const second = join('second');
  const beats = async () =>
    (
      await second.pool<{ age: number }[]>`
      select extract(epoch from clock_timestamp() - state_change)::float8 as age from pg_stat_activity
      where application_name = 'first' and state = 'idle in transaction'`
    ).some(({ age }) => age < 1);
  await eventually('the second', async () => second.database !== null);
  for (let time = 0; time < 5; time += 1) {
    await second.pool`select pg_sleep(0.3)`;
    expect([first.held.size, second.held.size]).toEqual([SHARDS, 0]);
  }
  await eventually('its heartbeats', beats);
  busy.resolve();
  await untilEven([first, second]);
  expect(conflicts).toEqual([]);
});

test('a process whose session has ended writes nothing, and the next holder waits for what it was writing', async () => {
  const { join } = await createDivision();
  const [first, second] = [join('first'), join('second')];
  await untilEven([first, second]);
  await second.pool`create table written (holder text)`;
  const fenced = first.database;
  if (fenced === null) throw new Error('the first has not begun');
  const inFlight = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const writing = fenced.begin(async (transaction) => {
    begun.resolve();
    await inFlight.promise;
    await transaction`insert into written values ('first')`;
  });
  await begun.promise;
  await kill(second.pool, 'first');
  await eventually('the loss', async () => first.hasLost);
  await second.pool`select pg_sleep(0.5)`;
  expect(second.held.size).toBe(SHARDS / 2);
  inFlight.resolve();
  await writing;
  await untilEven([second]);
  await expect(
    fenced.begin((transaction) => transaction`insert into written values ('late')`),
  ).rejects.toThrow(LockLost);
  expect(await second.pool`select holder from written`).toMatchObject([{ holder: 'first' }]);
});

test('a release that holds the lock alone keeps the shards from others, and they keep it from that release', async () => {
  const { url, join } = await createDivision();
  const former = connectDatabase(url, { applicationName: 'former', connections: 3 });
  atEnd(() => former.end());
  await withAdvisoryLock(
    former,
    lock,
    async () => {
      const early = join('early');
      await early.leave();
      expect(early.database).toBeNull();
    },
    times,
  );
  const member = join('member');
  await untilEven([member]);
  expect(await withAdvisoryLock(former, lock, async () => 'both')).toBeNull();
});
