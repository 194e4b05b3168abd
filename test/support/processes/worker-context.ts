import type { ChainRpc } from '../../../src/chain/rpc.ts';
import { connectDatabase, type Database } from '../../../src/db/client.ts';
import { DueWork } from '../../../src/db/jobs/due-work.ts';
import type { BroadcastContext } from '../../../src/intents/send/broadcast-due.ts';
import { SendRecorder } from '../../../src/intents/send/send-recorder.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import { type Clock, systemClock } from '../../../src/shared/clock.ts';
import { createLogger } from '../../../src/shared/log.ts';
import { runLoop } from '../../../src/shared/loop.ts';
import { createTestDatabase } from '../database/database.ts';
import { atEnd } from '../run/cleanup.ts';

export const silentLog = createLogger('test', 'silent');
/** Tests wait for the record of each send. */
const RECORD_AFTER_MS = 10;
const origin = { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' };

/** An outbox that sends no hints. */
export const testOutbox = (clock: Clock) => createOutbox(origin, clock);

/** A fresh database with the driver settings of the service. */
export async function openDatabase(): Promise<Database> {
  const { url } = await createTestDatabase();
  const db = connectDatabase(url, { applicationName: 'test', connections: 8 });
  atEnd(() => db.end({ timeout: 1 }));
  return db;
}

/** The URL of a pool's database, with its owner as the user. */
export function urlOf({ options }: Database): string {
  const { host, port, user, pass, database } = options;
  const password = typeof pass === 'string' ? `:${encodeURIComponent(pass)}` : '';
  return `postgres://${user}${password}@${host[0]}:${port[0]}/${database}`;
}

/** Another pool on the database of `db`, with only the rights of the worker's role. */
export function asWorker(db: Database): Database {
  const worker = connectDatabase(urlOf(db), {
    applicationName: 'test-worker',
    connections: 8,
    role: 'launchwire_worker',
  });
  atEnd(() => worker.end({ timeout: 1 }));
  return worker;
}

/** Dependencies of the intent jobs; `hinted` counts their hints. */
export function intentContext(db: Database, rpcs: readonly ChainRpc[], clock: Clock) {
  const hinted = { events: 0 };
  const database = asWorker(db);
  const context: BroadcastContext = {
    db: database,
    rpcs,
    holdOutPercent: 0,
    recorder: new SendRecorder({
      database,
      clock,
      log: silentLog,
      chainHead: { current: () => null },
      recordAfterMs: RECORD_AFTER_MS,
    }),
    clock,
    outbox: createOutbox(origin, clock, {
      sendHint: () => {
        hinted.events += 1;
      },
    }),
    log: silentLog,
    onStatusChanged: () => {},
  };
  return { context, hinted };
}

/** Wakes jobs like the worker until the signal aborts. */
export function startDueWork(db: Database, signal: AbortSignal, clock: Clock = systemClock): DueWork {
  const dueWork = new DueWork(db, clock);
  void runLoop({ idleMs: 400, ...dueWork.job, log: silentLog, signal });
  return dueWork;
}

/** Short event names with their subjects, in the order they were added. */
export async function eventsOf(db: Database): Promise<string[]> {
  const rows = await db<{ type: string; subject: string }[]>`
    select type, subject from events order by recorded_in, id`;
  return rows.map(({ type, subject }) => `${type.replace(/^build\.service\.|\.v1$/g, '')} ${subject}`);
}
