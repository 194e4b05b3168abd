import type { Logger } from '../shared/log.ts';
import type { DatabaseAccess } from './access.ts';
import { connectDatabase, type Database, healthOf } from './client.ts';
import { apiConnections } from './connections.ts';
import { databaseLimits } from './limits.ts';
import { connectLookUps, type LookUps } from './look-ups.ts';
import { pooledPlans } from './session-settings.ts';

/**
 * The pools of an api process. None takes connections of another, so that anonymous reads which hang delay no
 * request with a key (decision 0120).
 */
export interface ApiPools {
  /** Requests with a key: lists, transactions, submissions. */
  database: Database;
  /** What anybody may cause: anonymous reads, the beginnings and records of streams, result files. */
  publicDatabase: Database;
  /**
   * One row by its key, for requests with a key. Few connections, on which statements follow each other without
   * waiting: each write and wake-up serves several of them, and none may take long.
   */
  lookUps: LookUps;
  end(): Promise<void>;
}

export function connectApiPools(access: DatabaseAccess, log: Logger): ApiPools {
  const common = { role: 'launchwire_api', log, ...pooledPlans.launchwire_api } as const;
  const database = connectDatabase(access, {
    ...common,
    applicationName: 'launchwire-api',
    connections: apiConnections.keyed,
    limits: databaseLimits.api,
  });
  const beside = { ...common, health: healthOf(database) };
  const publicDatabase = connectDatabase(access, {
    ...beside,
    applicationName: 'launchwire-api-public',
    connections: apiConnections.public,
    limits: databaseLimits.api,
  });
  const lookUps = connectLookUps(access, {
    ...beside,
    applicationName: 'launchwire-api-look-ups',
    connections: apiConnections.lookUps,
    limits: databaseLimits['look-up'],
  });
  const pools = [database, publicDatabase, lookUps];
  return {
    database,
    publicDatabase,
    lookUps,
    end: async () => void (await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })))),
  };
}
