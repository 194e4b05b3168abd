import { expect, test } from 'bun:test';
import { advisoryLocks, LockLost, withAdvisoryLock } from '../../src/db/advisory-lock.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { spawnBun } from '../support/sandbox/sandbox-process.ts';

async function openTwoPools() {
  const { url } = await createTestDatabase();
  const pools = ['holder', 'other'].map((applicationName) =>
    connectDatabase(url, { applicationName, connections: 3 }),
  );
  for (const pool of pools) atEnd(() => pool.end());
  return pools as [(typeof pools)[0], (typeof pools)[0]];
}

test('one of two processes works, and the other may after it', async () => {
  const [holder, other] = await openTwoPools();
  const lock = advisoryLocks.chainIndexer;
  const outcome = await withAdvisoryLock(holder, lock, async () => {
    expect(await withAdvisoryLock(other, lock, async () => 'both')).toBeNull();
    return 'one';
  });
  expect(outcome).toEqual({ value: 'one' });
  expect(await withAdvisoryLock(other, lock, async () => 'next')).toEqual({ value: 'next' });
});

test('a lock that is held for long does not keep vacuum from removing dead rows', async () => {
  const [holder, other] = await openTwoPools();
  await withAdvisoryLock(holder, advisoryLocks.chainIndexer, async () => {
    const sessions = await other<{ backendXmin: string | null }[]>`
      select backend_xmin from pg_stat_activity
      where application_name = 'holder' and datname = current_database() and state = 'idle in transaction'`;
    expect(sessions.map(({ backendXmin }) => backendXmin)).toEqual([null]);
  });
});

const lock = advisoryLocks.intentConfirmer;

/** Ends the session that holds the lock, as the server does with a silent one. */
async function endHolder(sql: Database): Promise<void> {
  const ended = await sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and objid = ${lock} and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())`;
  expect(ended).toHaveLength(1);
}

/** Takes the lock as soon as it is free. */
async function takeOver(pool: Database, work: () => Promise<void>): Promise<void> {
  await eventually('the lock', () => withAdvisoryLock(pool, lock, work));
}

test('a process that is frozen with the lock loses it, and writes nothing when it goes on', async () => {
  const [other] = await openTwoPools();
  await other`create table written (id bigint generated always as identity, holder text)`;
  const { host, port, user, pass, database } = other.options;
  const url = `postgres://${user}:${pass}@${host[0]}:${port[0]}/${database}`;
  const holder = spawnBun(['test/support/processes/lock-holder.ts', url, 'frozen'], {});
  atEnd(async () => void holder.child.kill('SIGKILL'));
  const countWritten = async () =>
    (await other<{ count: number }[]>`select count(*)::int as count from written`)[0]?.count ?? 0;
  await eventually('writes', async () => (await countWritten()) > 5);
  holder.child.kill('SIGSTOP');
  await takeOver(other, async () => {
    await other`insert into written (holder) values ('other')`;
    holder.child.kill('SIGCONT');
    expect((await holder.ended).output).toMatch(/^ended: (Error|LockLost|PostgresError): .*/);
  });
  const rows = await other<{ holder: string }[]>`select holder from written order by id`;
  expect(rows.at(-1)?.holder).toBe('other');
});

test('a holder that is silent but goes on working begins no transaction after the lock is gone', async () => {
  const [holder, other] = await openTwoPools();
  let fenced: Database | undefined;
  const holding = withAdvisoryLock(holder, lock, async ({ database, signal }) => {
    fenced = database;
    expect(await database.begin(async (sql) => (await sql`select 1`).length)).toBe(1);
    await endHolder(other);
    await eventually('the loss', async () => signal.aborted);
    return 'done';
  });
  await expect(holding).rejects.toThrow();
  await expect(fenced?.begin(async () => 'written')).rejects.toThrow(LockLost);
  // Nor while another process holds the same lock.
  await takeOver(other, async () => {
    await expect(fenced?.begin('read write', async () => 'written')).rejects.toThrow(LockLost);
  });
});

test('the next holder begins only after the open transactions of the previous one', async () => {
  const [holder, other] = await openTwoPools();
  const order: string[] = [];
  const inFlight = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = withAdvisoryLock(holder, lock, ({ database }) =>
    database.begin(async () => {
      begun.resolve();
      await inFlight.promise;
      order.push('written');
    }),
  ).catch(() => null);
  await begun.promise;
  await endHolder(other);
  const next = takeOver(other, async () => void order.push('next'));
  await eventually('the next holder waiting', async () => {
    const waiting =
      await holder`select from pg_locks where locktype = 'advisory' and not granted and objid = 1
      and database = (select oid from pg_database where datname = current_database())`;
    return waiting.length === 1;
  });
  inFlight.resolve();
  await Promise.all([next, holding]);
  expect(order).toEqual(['written', 'next']);
});

test('a holder that is busy elsewhere for long keeps the lock by its heartbeat', async () => {
  const [holder, other] = await openTwoPools();
  const times = { heartbeatMs: 50, silenceMs: 2_000 };
  const hold = () =>
    withAdvisoryLock(
      holder,
      lock,
      async ({ signal }) => {
        await other`select pg_sleep(2.5)`;
        return [signal.aborted, await withAdvisoryLock(other, lock, async () => 'both')];
      },
      times,
    );
  // A process that stood still for two seconds has rightly lost it.
  const outcome = await eventually('a lock that is kept', () => hold().catch(() => null));
  expect(outcome).toEqual({ value: [false, null] });
});

test('a failure of the work is passed on as it is, and the lock is free', async () => {
  const [holder, other] = await openTwoPools();
  const failing = withAdvisoryLock(holder, lock, async () => {
    throw new RangeError('broken');
  });
  await expect(failing).rejects.toThrow(RangeError);
  expect(await withAdvisoryLock(other, lock, async () => 'next')).toEqual({ value: 'next' });
});
