import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paceBounds } from '../chain/pace/protocol.ts';
import { type ChainRpc, createChainRpcs } from '../chain/rpc.ts';
import { type AdminConfig, loadAdminConfig } from '../config/load.ts';
import { connectDatabase, type Database } from '../db/client.ts';
import { ADMIN_CONNECTIONS } from '../db/connections.ts';
import { type DatabaseClock, databaseClock } from '../db/database-clock.ts';
import { databaseLimits } from '../db/limits.ts';
import { createOutbox, type Outbox } from '../outbox/append.ts';
import { API_PREFIX } from '../shared/api-prefix.ts';
import { ConfigurationError } from '../shared/configuration-error.ts';
import { createLogger } from '../shared/log.ts';

const DEFAULT_SANDBOX = fileURLToPath(new URL('../../.sandbox', import.meta.url));

type Environment = Readonly<Record<string, string | undefined>>;

export interface AdminDependencies {
  config: AdminConfig;
  /** The source of the configuration. */
  environment: Environment;
  database: Database;
  outbox: Outbox;
  /** Empty if `SOLANA_RPC_URL` is unset: commands that need the chain are then refused. */
  rpcs: readonly ChainRpc[];
  clock: DatabaseClock;
  close(): Promise<void>;
}

/**
 * Connects to `DATABASE_URL`, or if that is unset to the sandbox of `SANDBOX_DIR` (contract/processes#admin-cli), and
 * reads its clock.
 */
export async function openAdminDependencies(environment: Environment): Promise<AdminDependencies> {
  const dependencies = createAdminDependencies(loadAdminConfig(sandboxEnvironment, environment), environment);
  await dependencies.clock.begin();
  return dependencies;
}

export function createAdminDependencies(config: AdminConfig, environment: Environment): AdminDependencies {
  const database = connectDatabase(config, {
    applicationName: 'launchwire-admin',
    connections: ADMIN_CONNECTIONS,
    limits: databaseLimits.admin,
  });
  const clock = databaseClock(database, createLogger('admin', 'silent'));
  return {
    config,
    environment,
    database,
    rpcs: createChainRpcs(config.solanaNodes ?? [], 0, paceBounds(config)),
    clock,
    outbox: createOutbox({ source: `${config.publicUrl}${API_PREFIX}`, docsUrl: config.docsUrl }, clock),
    close: () => database.end({ timeout: 5 }),
  };
}

/**
 * Variables that the sandbox in `folder` gives its own processes, from its state file, which exists while it
 * runs. Empty when the default sandbox does not run; throws ConfigurationError when a named one does not.
 */
function sandboxEnvironment(folder: string | undefined): Record<string, string> {
  const path = join(folder === undefined ? DEFAULT_SANDBOX : resolve(folder), 'state.json');
  if (existsSync(path))
    return (JSON.parse(readFileSync(path, 'utf8')) as { environment: Record<string, string> }).environment;
  if (folder === undefined) return {};
  throw new ConfigurationError([`SANDBOX_DIR names no running sandbox: there is no ${path}`]);
}
