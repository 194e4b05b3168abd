import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { isAlive } from '../../sandbox/services/process-family.ts';
import type { LinkState } from '../../sandbox/services/tcp-link.ts';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import { wait } from '../../src/shared/loop.ts';
import type { Controlled, Deployment, Mend } from '../deployment/deployment.ts';
import type { PlannedFault, PlanStep } from '../plan/fault-plan.ts';

/** A fault as it happened. Times are milliseconds since the walk began. */
export interface FaultInTime extends PlannedFault {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Why it could not be done or mended; null when it was. */
  readonly failure: string | null;
  /** For `full-broker`: whether a worker named the server before room was made. */
  readonly isNamed?: boolean;
}

const MINUTE_MS = 60_000;
const RETRY_MS = 250;
const LOOK_MS = 250;
/** A worker that another fault has just mended still has to find its servers. */
const NAMED_WITHIN_MS = 90_000;

/** Executes the plan until it is over or the signal aborts. Every fault that has begun is mended before it returns. */
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
  let isNamed: boolean | undefined;
  try {
    const isNaming = fault.kind === 'full-broker';
    const namedBefore = isNaming ? await countNamed(deployment.logFolder) : 0;
    const mend = await begin(deployment, fault);
    try {
      if (isNaming) isNamed = await untilNamed(deployment.logFolder, namedBefore, signal);
      await wait(fault.lastsMs, signal);
    } finally {
      await mend();
    }
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  const named = isNamed === undefined ? {} : { isNamed };
  return { ...fault, fromMs, untilMs: sinceStart(), failure, ...named };
}

/** Lines in which workers say that the server does nothing with its streams. */
async function countNamed(logFolder: string): Promise<number> {
  const workers = (await readdir(logFolder)).filter((file) => file.startsWith('worker-'));
  const texts = await Promise.all(workers.map((file) => Bun.file(join(logFolder, file)).text()));
  return texts.join('').split('"bus.store_failed"').length - 1;
}

async function untilNamed(logFolder: string, before: number, signal: AbortSignal): Promise<boolean> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(NAMED_WITHIN_MS)]);
  while (!late.aborted) {
    if ((await countNamed(logFolder)) > before) return true;
    await wait(LOOK_MS, late);
  }
  return false;
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
    case 'full-disk':
    case 'full-broker': {
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

/** Acts like a server whose disk is full: it answers reads, and refuses writes of sessions that begin a transaction. */
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

/**
 * Postgres recovers by itself unless its recovery found no room, which ends it. The broker stores nothing until it is
 * started anew (decisions/0105), which is what the runbook says.
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
      await delay(RETRY_MS);
    }
  }
}
