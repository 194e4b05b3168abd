/** Most connections of an api process, by pool (src/db/api-pools.ts). */
export const apiConnections = {
  /** Four statements of submissions, and as many transactions beside them. */
  keyed: 8,
  public: 5,
  lookUps: 3,
} as const;

/** Most connections in the main pool of each process. */
export const poolConnections = {
  api: apiConnections.keyed,
  /**
   * The confirmer, the watcher of intents, the chain indexer, the counter of holders and the fee states hold
   * one each; operations take up to two each, all other work one per transaction.
   */
  worker: 21,
  /** Claims, results and fan-outs run concurrently; more connections gain nothing on one machine. */
  relay: 7,
  internal: 4,
} as const;
export type ConnectedProcess = keyof typeof poolConnections;

/**
 * Most connections of one process: the api has three pools, worker and relay have another connection for
 * scrapes, the relay one for its membership.
 */
export const processConnections: Readonly<Record<ConnectedProcess, number>> = {
  api: apiConnections.keyed + apiConnections.public + apiConnections.lookUps,
  worker: poolConnections.worker + 1,
  relay: poolConnections.relay + 2,
  internal: poolConnections.internal,
};

/** One for the migrations, one for the partitions. */
export const MIGRATE_CONNECTIONS = 2;
export const ADMIN_CONNECTIONS = 2;
/** Connections of each api process to DATABASE_REPLICA_URL. */
export const REPLICA_CONNECTIONS = 8;
