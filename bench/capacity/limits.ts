/** What one unit of everything gives; a processes' core is one core, since each works on one event loop. */
export interface Units {
  postgres: { cores: number; walBytes: number; connections: number; diskBytes: number };
  natsCores: number;
  nodeCalls: number;
  networkBytes: number;
}

/** The smallest deployment: one process of each kind, and servers of ordinary size. What it has least of saturates first. */
export const smallest: Units = {
  postgres: { cores: 4, walBytes: 100e6, connections: 100, diskBytes: 1e12 },
  natsCores: 1,
  nodeCalls: 1_000,
  networkBytes: 125e6,
};

/**
 * What no larger machine gives. One primary writes; one process reads pools, and one confirms, under a lock; the leader of
 * a stream of NATS writes it alone; the reader of pools asks no more often than its budget allows.
 */
export const largest = {
  postgres: { cores: 64, walBytes: 400e6, connections: 5_000, diskBytes: 30e12 },
  chainReaderCores: 1,
  confirmerCores: 1,
  natsCores: 4,
  nodeCalls: 10_000,
} as const;

/** Cores of the machines that are offered, each with so many GB of memory for a core. */
export const machineCores = [2, 4, 8, 16, 32, 64] as const;
export const GB_PER_CORE = 4;
/** Cores of a machine for processes of the service, of which its system keeps one. */
export const APP_MACHINE_CORES = 8;
/** Postgres without a pooler keeps a process for each session. */
export const CONNECTIONS_WITHOUT_POOLER = 400;
