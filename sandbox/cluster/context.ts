import type { Environment } from '../processes/environment.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import type { Log } from '../services/log.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';
import type { ClusterExecutables } from './executables.ts';
import type { Links } from './links.ts';
import type { ClusterSecrets } from './secrets.ts';

/** What every server of the cluster is started with. */
export interface ClusterContext {
  readonly supervisor: Supervisor;
  readonly folder: SandboxFolder;
  readonly executables: ClusterExecutables;
  readonly links: Links;
  readonly secrets: ClusterSecrets;
  /** False for tests: faster, survives a crash of every process but not of the machine. */
  readonly durable: boolean;
  /** Names of the nodes of the chain besides the first one. */
  readonly chainNodes: readonly string[];
  /** Further variables of one api, worker or relay. */
  readonly environmentOf: (name: string) => Environment;
  readonly log: Log;
}

/** How many of each the cluster has. */
export const SIZES = { nats: 3, postgres: 2, api: 3, worker: 2, relay: 3 } as const;

/** `api-1`, `api-2` … */
export function namesOf(kind: keyof typeof SIZES): string[] {
  return Array.from({ length: SIZES[kind] }, (_, at) => `${kind}-${at + 1}`);
}
