import type { Database } from '../../src/db/client.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import { postmasterOf, serverCpuMs } from '../measurement/server-cpu.ts';

/** The totals of some work: CPU time in milliseconds, bytes, calls. */
export interface Taken {
  apiMs: number;
  workerMs: number;
  relayMs: number;
  postgresMs: number;
  natsMs: number;
  walBytes: number;
  nodeCalls: number;
  /** Growth of the tables that are kept for days or for ever, with their indexes. */
  keptBytes: number;
}

export interface Processes {
  api: BenchServer;
  worker: BenchServer;
  relay: BenchServer;
}

/** Totals of some work, by name. */
type Totals<Name extends string = string> = Record<Name, number>;

/** Measures what work takes. */
export type MeterOf<Total> = (work: () => Promise<unknown>) => Promise<Total>;
export type Meter = MeterOf<Taken>;

/** Tables whose rows stay for hours at most, or are changed in place: their growth does not count. */
const SHORT_LIVED = [
  'stream_log',
  'idempotency_records',
  'service_responses',
  'event_leases',
  'intent_broadcasts',
];
/** The servers clean up after earlier work while nothing happens, so what they use then is not subtracted. */
const SUBTRACTED = ['apiMs', 'workerMs', 'relayMs', 'nodeCalls'] as const;

/** A meter of all processes and servers. */
export async function createMeter(
  { database, node, natsPid }: BenchEnvironment,
  { api, worker, relay }: Processes,
  idleMs: number,
): Promise<{ meter: Meter; idle: Taken }> {
  const postmaster = await postmasterOf(database);
  const read = async (): Promise<Taken> => ({
    apiMs: processCpuMs(api.pid),
    workerMs: processCpuMs(worker.pid),
    relayMs: processCpuMs(relay.pid),
    postgresMs: postmaster === null ? 0 : serverCpuMs(postmaster),
    natsMs: processCpuMs(natsPid),
    walBytes: await walBytes(database),
    nodeCalls: node.calls(),
    keptBytes: await keptBytes(database),
  });
  return meterOf<keyof Taken>(read, SUBTRACTED, idleMs);
}

/**
 * Measures what work takes, in CPU time rather than in time, so that other load on the machine matters little. The totals in
 * `subtracted` also grow while nothing happens: that is measured once before, and left out.
 */
export async function meterOf<Name extends string>(
  read: () => Promise<Totals<Name>>,
  subtracted: readonly NoInfer<Name>[],
  idleMs: number,
): Promise<{ meter: MeterOf<Totals<Name>>; idle: Totals<Name> }> {
  const measure = async (work: () => Promise<unknown>) => {
    const before = await read();
    const startedAtMs = performance.now();
    await work();
    const tookMs = performance.now() - startedAtMs;
    const taken = await read();
    for (const name of namesOf(taken)) taken[name] -= before[name];
    return { tookMs, taken };
  };
  const idle = await measure(() => Bun.sleep(idleMs));
  return {
    idle: idle.taken,
    meter: async (work) => {
      const { tookMs, taken } = await measure(work);
      for (const name of subtracted) taken[name] -= (idle.taken[name] * tookMs) / idle.tookMs;
      for (const name of namesOf(taken)) taken[name] = Math.max(0, taken[name]);
      return taken;
    },
  };
}

function namesOf<Name extends string>(totals: Totals<Name>): Name[] {
  return Object.keys(totals) as Name[];
}

async function walBytes(sql: Database): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`;
  return Number(row?.bytes);
}

async function keptBytes(sql: Database): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`
    select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all(${SHORT_LIVED})`;
  return Number(row?.bytes);
}

/** Microseconds of CPU of one item. */
export function each(ms: number, items: number): number {
  return (ms * 1_000) / items;
}
