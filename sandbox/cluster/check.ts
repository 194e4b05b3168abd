import { setTimeout as delay } from 'node:timers/promises';
import { SIZES } from './context.ts';
import type { Cluster } from './start-cluster.ts';
import { TradeProbe } from './trade-probe.ts';

const POLL_MS = 20;
/** A limit for a hang, not for speed. */
const LIMIT_MS = 90_000;
/** This many accepted trades show that a fault is over. */
const TRADES_AFTER = 10;

interface Fault {
  readonly name: string;
  /** Resolves when the fault has begun. */
  begin(): Promise<unknown>;
  /** Whether the standby becomes the primary. */
  readonly promotes: boolean;
  end(): Promise<unknown>;
}

/**
 * Takes one server after the other away while a client trades, and prints for how long no submission was accepted.
 * Returns false when an accepted trade did not land. Throws when something did not recover.
 */
export async function checkCluster(
  cluster: Cluster,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  const probe = new TradeProbe(cluster.state, ended);
  const running = probe.run();
  // The error itself is thrown at the end.
  running.catch(() => ending.abort());
  try {
    await untilTraded(probe, TRADES_AFTER, ended);
    print('A client trades all the time. Milliseconds without an accepted submission:\n');
    for (const fault of faultsOf(cluster)) {
      print(await measure(cluster, probe, fault, ended));
      await fault.end();
    }
    const lost = await notLanded(probe, ended);
    print(
      `\n${probe.intents.length} accepted submissions, ${lost.length} not landed ${lost.join(' ')}`.trimEnd(),
    );
    return lost.length === 0;
  } finally {
    ending.abort();
    await running;
  }
}

function faultsOf(cluster: Cluster): Fault[] {
  const killed = (name: string): Fault => ({
    name: `${name} killed`,
    promotes: false,
    begin: () => cluster.server(name).kill(),
    end: () => cluster.server(name).start(),
  });
  return [
    primaryMachineKilled(cluster),
    postgresKilled(cluster),
    {
      name: 'switchover',
      promotes: true,
      begin: () => cluster.switchOver(),
      end: () => cluster.untilReplicated(),
    },
    ...Array.from({ length: SIZES.nats }, (_, at) => killed(`nats-${at + 1}`)),
    killed('api-1'),
    killed('worker-1'),
    killed('relay-1'),
    killed('etcd'),
  ];
}

/** The machine of the primary is gone: Patroni and Postgres are killed together. */
function primaryMachineKilled(cluster: Cluster): Fault {
  let name = '';
  return {
    name: 'machine of the primary killed',
    promotes: true,
    async begin() {
      name = await primaryOf(cluster);
      await cluster.server(name).kill();
    },
    async end() {
      await cluster.server(name).start();
      await cluster.untilReplicated();
    },
  };
}

/** Postgres alone is killed; its Patroni lives, gives the lease up and starts it again. */
function postgresKilled(cluster: Cluster): Fault {
  return {
    name: 'Postgres of the primary killed',
    promotes: true,
    async begin() {
      const pid = cluster.postmaster(await primaryOf(cluster));
      if (pid === undefined) throw new Error('the primary has no Postgres');
      process.kill(pid, 'SIGKILL');
    },
    end: () => cluster.untilReplicated(),
  };
}

async function primaryOf(cluster: Cluster): Promise<string> {
  const name = await cluster.primary();
  if (name === null) throw new Error('there is no primary');
  return name;
}

async function measure(
  cluster: Cluster,
  probe: TradeProbe,
  fault: Fault,
  signal: AbortSignal,
): Promise<string> {
  const before = await cluster.primary();
  probe.clear();
  const begunAt = performance.now();
  const beginning = fault.begin();
  const promotedAt = fault.promotes ? await untilPromoted(cluster, before, signal) : undefined;
  await beginning;
  const foundAt = promotedAt === undefined ? undefined : await untilFound(cluster, signal);
  await untilTraded(probe, TRADES_AFTER, signal, performance.now());
  const gapMs = probe.longestGapMs(begunAt);
  const failures = probe.failures();
  const parts = [
    `${fault.name.padEnd(32)} ${String(gapMs).padStart(6)}`,
    ...(promotedAt === undefined || foundAt === undefined
      ? []
      : [
          `promoted after ${Math.round(promotedAt - begunAt)}`,
          `first submission ${Math.round(firstAfter(probe, promotedAt) - promotedAt)} later`,
          `every process ready ${Math.round(foundAt - promotedAt)} later`,
        ]),
    `repeated: ${failures}`,
  ];
  return parts.join('; ');
}

function firstAfter(probe: TradeProbe, time: number): number {
  return probe.acceptedAt.find((at) => at > time) ?? Number.NaN;
}

async function untilPromoted(cluster: Cluster, before: string | null, signal: AbortSignal): Promise<number> {
  await until('a promotion', signal, async () => {
    const primary = await cluster.primary();
    return primary !== null && primary !== before;
  });
  return performance.now();
}

/** The time at which every process is ready again. They look at Postgres once a second. */
async function untilFound(cluster: Cluster, signal: AbortSignal): Promise<number> {
  const processes = cluster.servers.filter(({ kind }) => ['api', 'worker', 'relay'].includes(kind));
  await until('every process to be ready', signal, async () => {
    const remarks = await Promise.all(processes.map((server) => cluster.remark(server)));
    return remarks.every((remark) => remark === 'ready');
  });
  return performance.now();
}

function untilTraded(
  probe: TradeProbe,
  count: number,
  signal: AbortSignal,
  since = Number.NEGATIVE_INFINITY,
): Promise<void> {
  return until(`${count} accepted trades`, signal, () =>
    Promise.resolve(probe.acceptedAt.filter((at) => at > since).length >= count),
  );
}

/** Accepted intents that do not become confirmed in time. Throws when the status of one cannot be read. */
async function notLanded(probe: TradeProbe, signal: AbortSignal): Promise<string[]> {
  const open = new Set(probe.intents);
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    for (const id of open) if ((await probe.statusOf(id)) === 'confirmed') open.delete(id);
    signal.throwIfAborted();
    if (open.size === 0 || performance.now() > deadline) return [...open];
    await delay(POLL_MS);
  }
}

async function until(what: string, signal: AbortSignal, check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await check())) {
    signal.throwIfAborted();
    if (performance.now() > deadline) throw new Error(`waited ${LIMIT_MS / 1000} s in vain for ${what}`);
    await delay(POLL_MS);
  }
}
