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

export type Meter = (work: () => Promise<unknown>) => Promise<Taken>;

/** Hours at most: the log of streams, stored responses, leases. Also rows that are changed in place. */
const SHORT_LIVED = [
  'stream_log',
  'idempotency_records',
  'service_responses',
  'event_leases',
  'intent_broadcasts',
];
const CPUS = ['apiMs', 'workerMs', 'relayMs', 'postgresMs', 'natsMs'] as const;

/**
 * Measures what work takes, in CPU time rather than in time, so that other load on the machine matters little. What api,
 * worker and relay use while nothing happens, measured once before, is subtracted; what the servers do beside is not.
 */
export async function createMeter(
  { database, node, natsPid }: BenchEnvironment,
  { api, worker, relay }: Processes,
  idleMs: number,
): Promise<{ meter: Meter; idle: Taken }> {
  const postmaster = await postmasterOf(database);
  const read = async () => ({
    apiMs: processCpuMs(api.pid),
    workerMs: processCpuMs(worker.pid),
    relayMs: processCpuMs(relay.pid),
    postgresMs: postmaster === null ? 0 : serverCpuMs(postmaster),
    natsMs: processCpuMs(natsPid),
    walBytes: await walBytes(database),
    nodeCalls: node.calls(),
    keptBytes: await keptBytes(database),
  });
  const measure = async (work: () => Promise<unknown>) => {
    const before = await read();
    const startedAtMs = performance.now();
    await work();
    const tookMs = performance.now() - startedAtMs;
    return { tookMs, taken: less(await read(), before, 1) };
  };
  const idle = await measure(() => Bun.sleep(idleMs));
  return {
    idle: idle.taken,
    meter: async (work) => {
      const { tookMs, taken } = await measure(work);
      // The servers clean up after earlier work while nothing happens.
      const rest = { ...idle.taken, postgresMs: 0, natsMs: 0, walBytes: 0, keptBytes: 0 };
      return less(taken, rest, tookMs / idle.tookMs);
    },
  };
}

function less(of: Taken, rest: Taken, share: number): Taken {
  const keys = [...CPUS, 'walBytes', 'nodeCalls', 'keptBytes'] as const;
  const result = { ...of };
  for (const key of keys) result[key] = Math.max(0, of[key] - rest[key] * share);
  return result;
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
