import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ChainRpc, createChainRpcs } from '../chain/rpc.ts';
import { type AdminConfig, loadAdminConfig } from '../config.ts';
import { connectDatabase, type Database } from '../db/client.ts';
import { databaseLimits } from '../db/limits.ts';
import { createOutbox, type Outbox } from '../outbox/append.ts';
import { API_PREFIX } from '../shared/api-prefix.ts';
import { type Clock, systemClock } from '../shared/clock.ts';

/** Written by `npm start`; its `environment` is what the sandbox gives its own processes. */
const SANDBOX_STATE = fileURLToPath(new URL('../../.sandbox/state.json', import.meta.url));

export interface AdminDependencies {
  config: AdminConfig;
  database: Database;
  outbox: Outbox;
  /** Empty without `SOLANA_RPC_URL`: what has to ask the chain is refused then. */
  rpcs: readonly ChainRpc[];
  clock: Clock;
  close(): Promise<void>;
}

/** Connects to `DATABASE_URL`, or without it to the sandbox (contract/processes#admin-cli). */
export function openAdminDependencies(): AdminDependencies {
  return createAdminDependencies(loadAdminConfig(sandboxEnvironment));
}

/** What the admin commands work with, over a configuration. */
export function createAdminDependencies(config: AdminConfig): AdminDependencies {
  const database = connectDatabase(config.databaseUrl, {
    applicationName: 'launchwire-admin',
    connections: 2,
    limits: databaseLimits.admin,
  });
  return {
    config,
    database,
    rpcs: createChainRpcs(config.solanaRpcUrls ?? []),
    clock: systemClock,
    outbox: createOutbox(
      { source: `${config.publicUrl}${API_PREFIX}`, docsUrl: config.docsUrl },
      systemClock,
    ),
    close: () => database.end({ timeout: 5 }),
  };
}

function sandboxEnvironment(): Record<string, string> {
  if (!existsSync(SANDBOX_STATE)) return {};
  return (JSON.parse(readFileSync(SANDBOX_STATE, 'utf8')) as { environment: Record<string, string> })
    .environment;
}
