import { describe, expect, test } from 'bun:test';
import { LoopPulse, StalledLoops } from '../../src/shared/loop-pulse.ts';
import { createPausedPipe } from '../support/processes/paused-pipe.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { bareEnvironment } from '../support/run/runtime-variables.ts';
import { createRelayWorld } from '../support/webhooks/webhook-relay.ts';

const root = new URL('../../', import.meta.url).pathname;

type Order = 'answer' | 'block' | 'hang';

/** @param stderr a file descriptor, or `pipe` for a pipe that the test reads to its end */
async function startObedient(stderr: 'pipe' | number = 'pipe') {
  const child = Bun.spawn([process.execPath, 'test/support/processes/hanging-process.ts'], {
    cwd: root,
    stdio: ['pipe', 'pipe', stderr],
  });
  atEnd(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  const answers = child.stdout.getReader();
  const tell = (order: Order) => {
    child.stdin.write(`${order}\n`);
    return child.stdin.flush();
  };
  const answer = async () => {
    await tell('answer');
    const { value } = await answers.read();
    return new TextDecoder().decode(value);
  };
  expect(await answer()).toBe('here\n');
  return { child, tell, answer };
}

async function lastLine(stream: ReadableStream<Uint8Array>): Promise<unknown> {
  const lines = (await new Response(stream).text()).trim().split('\n');
  return JSON.parse(lines.at(-1) ?? '');
}

describe('a process that hangs ends itself, so that it is started again', () => {
  test('its event loop is blocked: killed, with one line that says why', async () => {
    const { child, tell } = await startObedient();
    await tell('block');
    await child.exited;
    expect(child.signalCode).toBe('SIGKILL');
    expect(await lastLine(child.stderr as ReadableStream<Uint8Array>)).toMatchObject({
      level: 60,
      name: 'hanging',
      pid: child.pid,
      timeoutMs: 1_000,
      msg: 'event_loop.stalled',
    });
  });

  test('also when its log is no longer read', async () => {
    const pipe = createPausedPipe();
    pipe.fill();
    const { child, tell } = await startObedient(pipe.fd);
    await tell('block');
    await child.exited;
    expect(child.signalCode).toBe('SIGKILL');
  });

  test('one of its loops hangs: ends with code 1 and names the loop', async () => {
    const { child, tell } = await startObedient();
    await tell('hang');
    expect(await child.exited).toBe(1);
    expect(await lastLine(child.stderr as ReadableStream<Uint8Array>)).toMatchObject({
      loops: ['obedient'],
      msg: 'loop.stalled',
    });
  });

  for (const [name, entry, table] of [
    ['launchwire-relay', 'relay/main.ts', 'webhook_deliveries'],
    ['launchwire-worker', 'src/worker/main.ts', 'events'],
  ] as const) {
    test(`a loop of ${entry} waits for a lock that is never released`, async () => {
      const world = await createRelayWorld();
      const released = Promise.withResolvers<void>();
      const child = Bun.spawn([process.execPath, entry], {
        cwd: root,
        env: { ...bareEnvironment(), ...world.environment, LOOP_TIMEOUT_SECONDS: '1' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      atEnd(async () => {
        released.resolve();
        child.kill('SIGKILL');
        await child.exited;
      });
      const log = new Response(child.stderr).text();
      await eventually('its first connection', async () => {
        const { count } = await world.sql`
          select from pg_stat_activity where application_name = ${name} and datname = current_database()`;
        return count > 0;
      });
      const locked = world.sql.begin(async (transaction) => {
        await transaction`lock table ${transaction(table)} in access exclusive mode`;
        await released.promise;
      });
      expect(await child.exited).toBe(1);
      released.resolve();
      await locked;
      expect(await log).toContain('"msg":"loop.stalled"');
    });
  }

  test('a relay that does not become a member again, although the database takes writes', async () => {
    const world = await createRelayWorld({ LOOP_TIMEOUT_SECONDS: '3' });
    const child = await world.spawnRelay();
    const log = new Response(child.stderr).text();
    const id = await eventually('its first beat', async () => {
      const [member] = await world.sql<{ id: string }[]>`select id from relay_members`;
      return member?.id;
    });
    // This session queues for the lock and gets it before the relay's next session does.
    const holder = await world.sql.reserve();
    const held = holder`select pg_advisory_lock(hashtextextended(${id}, 0))`.execute();
    await eventually('the loss of its session', async () => {
      const { count } = await world.sql`
        select pg_terminate_backend(holder.pid) from pg_locks as holder join pg_locks as waiting
          on waiting.locktype = 'advisory' and not waiting.granted and waiting.database = holder.database
            and (waiting.classid, waiting.objid) = (holder.classid, holder.objid)
        where holder.locktype = 'advisory' and holder.granted
          and (holder.classid::bigint << 32) + holder.objid::bigint = hashtextextended(${id}, 0)`;
      return count === 1;
    });
    await held;
    expect(await child.exited).toBe(1);
    holder.release();
    expect(await log).toContain('"loops":["membership"]');
  });
});

describe('a process that only waits lives on', () => {
  test('a relay that is no member for longer than its limit, because the database is read-only', async () => {
    // At a load of 60 a relay that works reported nothing for 2 s.
    const limitSeconds = 5;
    const world = await createRelayWorld({ LOOP_TIMEOUT_SECONDS: String(limitSeconds) });
    const { sql } = world;
    const name = sql.options.database;
    /** Changes the setting of the database. The relay's sessions reconnect and get it. */
    const setReadOnly = async (value: 'on' | 'off') => {
      await sql.unsafe(`alter database ${name} set default_transaction_read_only = ${value}`);
      await sql`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = ${name} and application_name like 'launchwire-relay%'`;
    };
    const hasBeaten = (since: Date) =>
      eventually('a beat', async () => {
        if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text());
        const { count } = await sql`select from relay_members where beat_at > ${since}`;
        return count === 1;
      });
    const child = await world.spawnRelay();
    await hasBeaten(new Date(0));
    await setReadOnly('on');
    await eventually('twice its limit', async () => {
      const { count } = await sql`
        select from relay_members where beat_at < now() - ${2 * limitSeconds} * interval '1 second'`;
      return count === 1;
    });
    const since = new Date();
    await setReadOnly('off');
    await hasBeaten(since);
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    expect(await child.exited).toBe(0);
  });

  test('stopped as a whole for longer than its limit, and continued', async () => {
    const suspended = await startObedient();
    const clock = await startObedient();
    suspended.child.kill('SIGSTOP');
    // Both processes have the same time limit. When the other one has ended, this one's time is over too.
    await clock.tell('block');
    await clock.child.exited;
    suspended.child.kill('SIGCONT');
    expect(await suspended.answer()).toBe('here\n');
    // The watchdog still works.
    await suspended.tell('block');
    await suspended.child.exited;
    expect(suspended.child.signalCode).toBe('SIGKILL');
  });
});

describe('a loop', () => {
  test('counts as hanging when it neither beats nor rests for several checks in a row', async () => {
    const pulse = new LoopPulse('loop');
    const loops = new StalledLoops(3);
    const looks = (count: number) => Array.from({ length: count }, () => loops.check()).at(-1);
    expect(looks(3)).toEqual([]);
    pulse.beat();
    expect(looks(3)).toEqual([]);
    expect(looks(1)).toEqual(['loop']);
    const idle = Promise.withResolvers<void>();
    const resting = pulse.rest(idle.promise);
    expect(looks(100)).toEqual([]);
    idle.resolve();
    await resting;
    expect(looks(3)).toEqual([]);
    expect(looks(1)).toEqual(['loop']);
    pulse.end();
    expect(looks(1)).toEqual([]);
  });

  test('rests until each item of a source, and not while it works on one', async () => {
    const pulse = new LoopPulse('loop');
    const rested: boolean[] = [];
    async function* source() {
      for (const item of [1, 2]) {
        await Promise.resolve();
        rested.push(pulse.isResting);
        yield item;
      }
    }
    const items: number[] = [];
    for await (const item of pulse.restBetween(source())) {
      items.push(item);
      rested.push(pulse.isResting);
    }
    expect(items).toEqual([1, 2]);
    expect(rested).toEqual([true, false, true, false]);
    pulse.end();
  });
});
