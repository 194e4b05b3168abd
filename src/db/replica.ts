import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';
import type { DatabaseAccess } from './access.ts';
import { connectDatabase, type Database, type Queryable } from './client.ts';
import { REPLICA_CONNECTIONS } from './connections.ts';
import { databaseLimits } from './limits.ts';
import { pooledPlans } from './session-settings.ts';

const MEASURE_EVERY_MS = 200;
/** Positions of the primary that the replica has not reached. With as many the replica is seconds behind. */
const PENDING_MAX = 50;

/** Why a replica serves nothing. */
export type ReplicaFault = 'unmeasured' | 'unreachable' | 'not_a_standby' | 'another_history' | 'wrong_role';

/** Where a server is in the write-ahead log (drizzle/functions/replication_position.sql). */
export interface ReplicationPosition {
  isStandby: boolean;
  /** Bytes: written by a primary, replayed by a standby. */
  logPosition: bigint;
  /** Timeline of a primary; of a standby that whose first change it has replayed. */
  timeline: number | null;
  /** Equal for one database of a primary and of its standbys. */
  origin: string;
  role: string;
}

export async function readReplicationPosition(db: Queryable): Promise<ReplicationPosition> {
  const [row] = await db<ReplicationPosition[]>`
    select is_standby, log_position, timeline, origin, current_user as role from replication_position()`;
  if (row === undefined) throw new Error('the server returned no position');
  return row;
}

/** Returns what makes a server useless as a replica of this primary; null where it only has to catch up. */
export function faultOfReplica(
  primary: ReplicationPosition,
  replica: ReplicationPosition,
): Exclude<ReplicaFault, 'unmeasured' | 'unreachable'> | null {
  if (!replica.isStandby) return 'not_a_standby';
  // A standby of a primary that was replaced may be as far, on a history of its own.
  if (replica.origin !== primary.origin || replica.timeline !== primary.timeline) return 'another_history';
  return replica.role === primary.role ? null : 'wrong_role';
}

/** A standby that serves reads which may be as old as it is. */
export interface ReadReplica {
  readonly database: Database;
  /** The replica shows everything that the primary showed at this time of `performance.now()`, or more. */
  freshThroughMs(): number;
  /** A read of it failed: it serves nothing until it has been measured again. */
  noteFailure(): void;
}

/**
 * Measures how far a standby is, by position and time: when it has reached the position that the primary had at
 * a time, it shows everything of that time. No clock of a server takes part, and a standby whose replay is
 * paused, or that follows another primary, is never fresh.
 */
export class MeasuredReplica implements ReadReplica {
  readonly database: Database;
  readonly #primary: Database;
  readonly #log: Logger;
  readonly #nowMs: () => number;
  #pending: { atMs: number; position: bigint }[] = [];
  #freshThroughMs = Number.NEGATIVE_INFINITY;
  #fault: ReplicaFault | null = 'unmeasured';
  #behindBytes = 0n;

  constructor(
    { primary, replica, log }: { primary: Database; replica: Database; log: Logger },
    nowMs: () => number = () => performance.now(),
  ) {
    this.database = replica;
    this.#primary = primary;
    this.#log = log;
    this.#nowMs = nowMs;
  }

  freshThroughMs(): number {
    return this.#freshThroughMs;
  }

  /** Null while it can be used by reads that allow its age. */
  get fault(): ReplicaFault | null {
    return this.#fault;
  }

  /** Bytes of the log that it had to replay at the last measurement. */
  get behindBytes(): bigint {
    return this.#behindBytes;
  }

  /** Age of what it shows. */
  get lagMs(): number {
    return this.#nowMs() - this.#freshThroughMs;
  }

  noteFailure(): void {
    this.#leave('unreachable');
  }

  /** Takes one measurement. Rejects only when the primary fails; a failure of the replica is noted. */
  async measure(): Promise<void> {
    // The statement begins later than this, and shows what was committed by then.
    const atMs = this.#nowMs();
    const primary = await readReplicationPosition(this.#primary);
    if (this.#pending.length < PENDING_MAX) this.#pending.push({ atMs, position: primary.logPosition });
    const replica = await readReplicationPosition(this.database).catch(() => null);
    const fault = replica === null ? 'unreachable' : faultOfReplica(primary, replica);
    if (replica === null || fault !== null) return this.#leave(fault ?? 'unreachable');
    const { logPosition: position } = replica;
    const reached = this.#pending.filter((past) => past.position <= position);
    this.#pending = this.#pending.filter((past) => past.position > position);
    this.#behindBytes = primary.logPosition > position ? primary.logPosition - position : 0n;
    const [newest] = reached.slice(-1);
    if (newest === undefined) return;
    if (this.#fault !== null) this.#log.info({ behindBytes: Number(this.#behindBytes) }, 'replica.used');
    this.#fault = null;
    this.#freshThroughMs = newest.atMs;
  }

  /** Measures until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return runLoop({
      name: 'replica',
      log: this.#log,
      signal,
      idleMs: MEASURE_EVERY_MS,
      longestPauseMs: 1_000,
      step: async () => {
        await this.measure();
        return false;
      },
    });
  }

  #leave(fault: ReplicaFault): void {
    if (this.#fault !== fault) this.#log.warn({ reason: fault }, 'replica.left');
    this.#fault = fault;
    this.#freshThroughMs = Number.NEGATIVE_INFINITY;
    this.#pending = [];
  }
}

/** Without a log: the state of the replica is logged where it is measured. */
export function connectReplica(access: DatabaseAccess, databaseUrl: string): Database {
  return connectDatabase(
    { databaseUrl, databaseCa: access.databaseCa },
    {
      applicationName: 'launchwire-api-replica',
      connections: REPLICA_CONNECTIONS,
      role: 'launchwire_api',
      limits: databaseLimits.replica,
      // A read that gets no response goes to the primary.
      patience: { connectMs: 1_000, checkEveryMs: 250, beyondStatementMs: 500 },
      ...pooledPlans.launchwire_api,
    },
  );
}
