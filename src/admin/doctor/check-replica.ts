import type { DatabaseAccess } from '../../db/access.ts';
import type { Database } from '../../db/client.ts';
import { REPLICA_CONNECTIONS } from '../../db/connections.ts';
import { databaseFailure, databaseFailures } from '../../db/failure.ts';
import {
  connectReplica,
  faultOfReplica,
  type ReplicaFault,
  type ReplicationPosition,
  readReplicationPosition,
} from '../../db/replica.ts';
import { wait } from '../../shared/loop.ts';
import { readLimits } from './check-connections.ts';
import { causeOf, type Finding, failed, ok } from './finding.ts';

const CATCH_UP_MS = 5_000;
const POLL_MS = 50;
const PAGE = 'see docs/operations/failover.md';

const faults: Readonly<Record<Exclude<ReplicaFault, 'unmeasured' | 'unreachable'>, string>> = {
  not_a_standby: 'it is no standby: leave DATABASE_REPLICA_URL out, or name a standby of DATABASE_URL',
  another_history: 'it follows another primary than DATABASE_URL, or has none of its changes yet',
  wrong_role: 'its sessions do not work as launchwire_api',
};

/** Checks that the replica follows the primary, by how much it lags, and that it has room for the apis. */
export async function checkReplica(
  primary: Database,
  access: DatabaseAccess,
  { replicaUrl, apis }: { replicaUrl: string; apis: number },
): Promise<Finding> {
  const replica = connectReplica(access, replicaUrl);
  try {
    const startedAtMs = performance.now();
    // The owner asks the primary here, and the api the replica.
    const target = { ...(await readReplicationPosition(primary)), role: 'launchwire_api' };
    const first = await readReplicationPosition(replica);
    const fault = faultOfReplica(target, first);
    if (fault !== null) return failed('replica', `DATABASE_REPLICA_URL: ${faults[fault]}`);
    const { max, reserved } = await readLimits(replica);
    const need = apis * REPLICA_CONNECTIONS;
    const room = `at most ${need} of ${max - reserved} connections`;
    if (need > max - reserved)
      return failed('replica', `${room}: set its max_connections to ${need + reserved} or more`);
    const behind = target.logPosition > first.logPosition ? target.logPosition - first.logPosition : 0n;
    if (await reaches(replica, first, target.logPosition, AbortSignal.timeout(CATCH_UP_MS))) {
      const lagMs = Math.round(performance.now() - startedAtMs);
      return ok('replica', `${behind} bytes behind, caught up within ${lagMs} ms; ${room}`);
    }
    return failed(
      'replica',
      `${behind} bytes behind, and not caught up within ${CATCH_UP_MS / 1_000} s, so that it serves nothing: its replay is paused, or the network or its disk is too slow, ${PAGE}`,
    );
  } catch (error) {
    const failure = databaseFailure(error);
    return failed(
      'replica',
      `DATABASE_REPLICA_URL: ${failure === null ? causeOf(error) : databaseFailures[failure]}; anonymous reads use the primary`,
    );
  } finally {
    await replica.end({ timeout: 1 });
  }
}

async function reaches(
  replica: Database,
  first: ReplicationPosition,
  position: bigint,
  deadline: AbortSignal,
): Promise<boolean> {
  let reached = first.logPosition;
  while (reached < position) {
    if (deadline.aborted) return false;
    await wait(POLL_MS, deadline);
    reached = (await readReplicationPosition(replica)).logPosition;
  }
  return true;
}
