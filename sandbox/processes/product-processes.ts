import type { NatsConnection } from '../../src/shared/bus/connect.ts';
import { consumers } from '../../src/shared/bus/topology.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';
import { startBunChild } from './bun-child.ts';
import type { Environment } from './environment.ts';
import { apiIsReady, isConsuming, probe } from './readiness.ts';
import { type Supervisor, stages } from './supervisor.ts';

export interface ProcessContext {
  readonly supervisor: Supervisor;
  readonly folder: SandboxFolder;
  readonly environment: Environment;
}

/**
 * Longer than a healthy process needs. An attempt at a hanging subscriber is cut off (contract/processes#shutdown
 * allows 15 s).
 */
const STOP_TIMEOUT_MS = 4_000;

interface BunProcess {
  readonly name: string;
  readonly entry: string;
  readonly args?: readonly string[];
  readonly stage: (typeof stages)[keyof typeof stages];
  readonly extraEnvironment?: Environment;
  readonly ready: RegExp | (() => Promise<boolean>);
  readonly onLine?: (line: string) => void;
}

/** Starts a TypeScript entry of the project as its own process. Its output goes to `logs/<name>.log`. */
export function startBun(
  { supervisor, folder, environment }: ProcessContext,
  options: BunProcess,
): Promise<void> {
  const { name, entry, stage, ready, onLine } = options;
  return supervisor.start(name, stage, () =>
    startBunChild(folder, {
      name,
      // The folder marks the process as ours (leftovers.ts); the product's entries take no arguments.
      args: [entry, ...(options.args ?? []), '--sandbox', folder.root],
      environment: { ...environment, ...options.extraEnvironment },
      ready,
      stopTimeoutMs: STOP_TIMEOUT_MS,
      ...(onLine === undefined ? {} : { onLine }),
    }),
  );
}

/** Starts `API_WORKERS` processes of the api. */
export async function startApi(context: ProcessContext, origin: string): Promise<void> {
  const count = Number(context.environment.API_WORKERS ?? 1);
  const names = Array.from({ length: count }, (_, at) => (at === 0 ? 'api' : `api-${at + 1}`));
  const ready = probe(() => apiIsReady(origin));
  await Promise.all(
    names.map((name) => startBun(context, { name, entry: 'src/api/main.ts', stage: stages.product, ready })),
  );
}

export function startWorker(context: ProcessContext, connection: NatsConnection): Promise<void> {
  const ready = probe(() => isConsuming(connection, consumers.ingest));
  return startBun(context, { name: 'worker', entry: 'src/worker/main.ts', stage: stages.product, ready });
}

export function startRelay(context: ProcessContext, connection: NatsConnection): Promise<void> {
  const ready = probe(() => isConsuming(connection, consumers.relayAccount));
  return startBun(context, { name: 'relay', entry: 'relay/main.ts', stage: stages.sources, ready });
}
