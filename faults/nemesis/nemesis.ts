import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import type { LinkState } from '../../sandbox/services/tcp-link.ts';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import { wait } from '../../src/shared/loop.ts';
import type { Controlled, Deployment, Mend } from '../deployment/deployment.ts';
import type { PlannedFault, PlanStep } from '../plan/fault-plan.ts';

/** A fault as it happened. Times are milliseconds since the walk began. */
export interface FaultInTime extends PlannedFault {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Why it could not be done; null when it was done. */
  readonly failure: string | null;
}

const MINUTE_MS = 60_000;
const RESTART_TRIES_MS = 250;

/** Executes the plan until it is over or the signal aborts. Whatever happened, everything is mended at the end. */
export async function runNemesis(
  deployment: Deployment,
  plan: readonly PlanStep[],
  sinceStart: () => number,
  signal: AbortSignal,
  onFault: (fault: FaultInTime) => void,
): Promise<FaultInTime[]> {
  const done: FaultInTime[] = [];
  for (const { pauseMs, faults } of plan) {
    await wait(pauseMs, signal);
    if (signal.aborted) break;
    const results = await Promise.all(faults.map((fault) => carryOut(deployment, fault, sinceStart, signal)));
    for (const result of results) {
      done.push(result);
      onFault(result);
    }
  }
  return done;
}

async function carryOut(
  deployment: Deployment,
  fault: PlannedFault,
  sinceStart: () => number,
  signal: AbortSignal,
): Promise<FaultInTime> {
  const fromMs = sinceStart();
  let failure: string | null = null;
  try {
    const mend = await begin(deployment, fault);
    await wait(fault.lastsMs, signal);
    await mend();
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  return { ...fault, fromMs, untilMs: sinceStart(), failure };
}

async function begin(deployment: Deployment, { kind, target, detail }: PlannedFault): Promise<Mend> {
  const { processes, links, direct } = deployment;
  const rpc = new SolanaRpc(direct.rpcUrl);
  switch (kind) {
    case 'kill': {
      const victim = known(processes, target);
      await victim.kill();
      return () => victim.start();
    }
    case 'stop': {
      const victim = known(processes, target);
      victim.pause();
      return async () => victim.resume();
    }
    case 'partition':
    case 'slow': {
      const state: LinkState =
        kind === 'slow'
          ? { mode: 'slow', delayMs: Number.parseInt(detail, 10) }
          : { mode: detail === 'refused' ? 'refused' : 'silent' };
      const both = known(links, target);
      for (const link of both) link.set(state);
      return async () => {
        for (const link of both) link.mend();
      };
    }
    case 'clock':
      await deployment.setClock(target, Number.parseInt(detail, 10) * MINUTE_MS);
      return () => deployment.setClock(target, 0);
    case 'read-only':
      await setReadOnly(await deployment.primaryUrl(), true);
      // A standby that is copied meanwhile takes the setting over.
      return async () => {
        for (const url of deployment.databaseServers) await persistently(() => setReadOnly(url, false));
      };
    case 'full-disk': {
      const disk = deployment.disks.get(target);
      if (disk === undefined) throw new Error('only root can give a server a file system of its own');
      await disk.fill();
      return async () => {
        await disk.empty();
        await recovered(known(processes, target));
      };
    }
    case 'node':
      await persistently(() => rpc.call('sandbox_setFaults', [JSON.parse(detail), target]));
      return () => persistently(() => rpc.call('sandbox_setFaults', [{}, target]));
    case 'fork':
      await rpc.call('sandbox_fork', [{ blocks: Number.parseInt(detail, 10), landAgain: false }]);
      return async () => {};
    case 'promote':
      return deployment.promote();
    case 'wipe':
      return deployment.wipe(target);
  }
}

function known<Value>(all: ReadonlyMap<string, Value>, name: string): Value {
  const found = all.get(name);
  if (found === undefined) throw new Error(`the deployment has no ${name}`);
  return found;
}

/** As a server whose disk is full: it answers reads, and refuses writes of sessions that begin a transaction. */
async function setReadOnly(databaseUrl: string, isReadOnly: boolean): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 3 });
  try {
    await sql.unsafe('set default_transaction_read_only = off');
    await sql.unsafe(
      isReadOnly
        ? 'alter system set default_transaction_read_only = on'
        : 'alter system reset default_transaction_read_only',
    );
    await sql`select pg_reload_conf()`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Postgres recovers by itself unless its recovery found no room, which ends it. The broker turns JetStream off and needs a new
 * start, for which its health check asks.
 */
async function recovered(server: Controlled): Promise<void> {
  if (server.name !== 'nats' && server.pid !== undefined && isAlive(server.pid)) return;
  await server.kill();
  await server.start();
}

/** A server that another fault has stopped takes no command: what has to be mended is mended when it is back. */
async function persistently(work: () => Promise<unknown>): Promise<void> {
  for (let triesLeft = 200; ; triesLeft -= 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (triesLeft === 0) throw error;
      await delay(RESTART_TRIES_MS);
    }
  }
}
