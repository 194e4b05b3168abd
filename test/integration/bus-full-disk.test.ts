import { describe, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { pino } from 'pino';
import { SmallDisk } from '../../faults/deployment/small-disk.ts';
import { NATS_CACHE_DIR, startNats } from '../../sandbox/services/nats.ts';
import { findClusterNatsServer, findNatsServer } from '../../sandbox/services/nats-binary.ts';
import { checkBus } from '../../src/admin/doctor/check-bus.ts';
import type { AdminConfig } from '../../src/config/load.ts';
import { outboxPublisher } from '../../src/outbox/outbox-publisher.ts';
import { streamUpkeep } from '../../src/outbox/stream-upkeep.ts';
import { connectBus, type NatsConnection } from '../../src/shared/bus/connect.ts';
import { logConnection } from '../../src/shared/bus/log-connection.ts';
import { type StoreFault, storeFaults } from '../../src/shared/bus/store-faults.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { EVENT_STREAM } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { openDatabase, startDueWork, testOutbox } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const [usual, newer] = await Promise.all(
  [findNatsServer, findClusterNatsServer].map((find) => find({ cacheDir: NATS_CACHE_DIR })),
);
const binaries = [...new Map([usual, newer].map((one) => [one?.version.join('.'), one])).values()].filter(
  (one) => one !== undefined,
);
const trial = join(createTempDir('disk'), 'trial');
const mounted = await SmallDisk.mount(trial);
await mounted?.unmount();

interface Line extends Record<string, unknown> {
  msg: string;
}

/** What waits in the stream, by the ids of its events. */
async function storedIds(connection: NatsConnection): Promise<string[]> {
  const { streams } = await jetstreamManager(connection);
  const { state } = await streams.info(EVENT_STREAM);
  const ids: string[] = [];
  for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
    const message = await streams.getMessage(EVENT_STREAM, { seq });
    ids.push(message?.header.get('Nats-Msg-Id') ?? '');
  }
  return ids;
}

// Only root may mount the file system that is filled; elsewhere the other tests of doctor and worker remain.
describe.if(mounted !== null)('a single server whose disk is full', () => {
  test.each(binaries.map((binary) => [binary.version.join('.'), binary] as const))(
    'nats-server %s: the worker and doctor say so, and after room is made and the server restarted nothing is lost',
    async (version, binary) => {
      const storeDir = join(createTempDir('full'), 'store');
      mkdirSync(storeDir, { recursive: true });
      const disk = await SmallDisk.mount(storeDir);
      if (disk === null) throw new Error('a second file system could not be mounted');
      atEnd(() => disk.unmount());
      let server = await startNats({ storeDir, durable: false, binary });
      const { port, url } = server;
      atEnd(() => server.kill());
      const db = await openDatabase();
      const connection = await connectBus(url, 'launchwire-worker');
      atEnd(() => connection.close());
      await ensureStreams(connection);

      const lines: Line[] = [];
      const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
      const said = (msg: string) => lines.filter((line) => line.msg === msg);
      const stop = new AbortController();
      const logged = logConnection(connection, log);
      const { signal } = stop;
      const context = { connection, log, signal, dueWork: startDueWork(db, signal) };
      const jobs = [
        runTestJob(outboxPublisher({ connection, log, db }), context),
        runTestJob({ ...streamUpkeep({ connection, log }), everyMs: 200 }, context),
      ];
      atEnd(async () => {
        stop.abort();
        await Promise.all(jobs);
      });
      const ids: string[] = [];
      const addEvents = (count: number) =>
        db.begin(async (transaction) => {
          for (let at = 0; at < count; at += 1) {
            const event = { name: 'launch.created', accountId: null, subject: `${at}` } as const;
            // Larger than what is left of the block that the store has begun.
            ids.push(
              await testOutbox(systemClock).append(transaction, {
                ...event,
                data: { at, filler: 'x'.repeat(10_000) },
              }),
            );
          }
        });
      const doctor = () => checkBus({ natsUrls: [url], natsStreamReplicas: 1 } as unknown as AdminConfig);

      await addEvents(5);
      await eventually('the first events are stored', async () => (await storedIds(connection)).length === 5);
      await disk.fill();
      await addEvents(5);
      await eventually('the worker says so', async () => said('bus.store_failed').length > 0);
      const fault = said('bus.store_failed')[0]?.fault as StoreFault;
      expect(said('bus.store_failed')[0]).toMatchObject({
        server: `127.0.0.1:${port}`,
        serverName: expect.any(String),
        remedy: storeFaults[fault],
      });
      if (fault === 'silent')
        expect(await doctor()).toEqual([
          {
            check: 'nats',
            state: 'failed',
            detail: `nats-server ${version}: the server does not answer for its streams: look at its disk and its log; make room, then restart it (runbook StreamReplicaMissing)`,
          },
        ]);

      await disk.empty();
      // As the runbook says: SIGTERM does not end every version in this state.
      await server.kill();
      server = await startNats({ storeDir, port, durable: false, binary });
      let stored: string[] = [];
      await eventually('every event is stored', async () => {
        stored = await storedIds(connection).catch(() => []);
        return stored.length >= ids.length;
      });
      expect(stored.sort()).toEqual([...ids].sort());
      await eventually('the worker says that it works', async () => said('bus.store_recovered').length > 0);
      expect((await doctor()).filter(({ state }) => state === 'failed')).toEqual([]);
      expect(said('bus.store_failed')).toHaveLength(1);
      const lost = said('bus.disconnected');
      expect(lost.length).toBeGreaterThan(0);
      for (const line of [...lost, ...said('bus.reconnected')]) expect(line.server).toBe(`127.0.0.1:${port}`);
      stop.abort();
      await Promise.all(jobs);
      await connection.close();
      await logged;
    },
  );
});
