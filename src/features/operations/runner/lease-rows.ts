import type postgres from 'postgres';
import type { Database, Transaction } from '../../../db/client.ts';
import type { Step } from './kind.ts';

/** Why a run ends before its work is done. */
export type Interruption = 'lease_lost' | 'cancel_requested' | 'worker_stopping';

export class RunInterrupted extends Error {
  override readonly name = 'RunInterrupted';
  readonly reason: Interruption;

  constructor(reason: Interruption) {
    super(`the run was interrupted: ${reason}`);
    this.reason = reason;
  }
}

/** An operation that this process runs until its lease ends, by the clock of the database. */
export interface ClaimedOperation {
  id: string;
  accountId: string;
  kind: string;
  input: unknown;
  checkpoint: unknown;
  leaseToken: string;
  /** Claims since the last checkpoint, this one included. */
  claimCount: number;
  failureCount: number;
  cancelRequestedAt: Date | null;
}

/** SQL: an operation of any kind can be claimed. */
export function isOperationDue(db: Database): ReturnType<Database> {
  return db`exists (select from operations where due_at <= now())`;
}

/**
 * Claims the operation that has waited longest, or returns null. Skips rows that are locked at this moment.
 */
export async function claimOperation(
  db: Database,
  kinds: readonly string[],
  { leaseToken, leaseMs, now }: { leaseToken: string; leaseMs: number; now: Date },
): Promise<ClaimedOperation | null> {
  const [row] = await db<ClaimedOperation[]>`
    with next as (
      select id from operations
      where due_at <= now() and kind = any(${kinds as string[]}::text[])
      order by due_at limit 1 for update skip locked
    )
    update operations o set
      status = 'running', started_at = coalesce(o.started_at, ${now}), lease_token = ${leaseToken},
      due_at = now() + ${leaseMs} * interval '1 millisecond', claim_count = o.claim_count + 1
    from next where o.id = next.id and o.status in ('queued', 'running')
    returning o.id, o.account_id, o.kind, o.input, o.checkpoint, o.lease_token, o.claim_count, o.failure_count,
      o.cancel_requested_at`;
  return row ?? null;
}

/** The holder of a lease: every write names both columns. */
export type Lease = Pick<ClaimedOperation, 'id' | 'leaseToken'>;

/** Renews a lease. Returns why the run is over, or null when it may continue. */
export async function renewLease(
  db: Database,
  { id, leaseToken }: Lease,
  leaseMs: number,
): Promise<Interruption | null> {
  const [row] = await db<{ cancelRequestedAt: Date | null }[]>`
    update operations set due_at = now() + ${leaseMs} * interval '1 millisecond'
    where id = ${id} and lease_token = ${leaseToken} and status = 'running'
    returning cancel_requested_at`;
  if (row === undefined) return 'lease_lost';
  return row.cancelRequestedAt === null ? null : 'cancel_requested';
}

/**
 * Locks the operation for a step of the holder: nobody can claim it until the transaction ends. Throws
 * RunInterrupted.
 */
export async function requireLease(transaction: Transaction, { id, leaseToken }: Lease): Promise<void> {
  const [row] = await transaction<{ cancelRequestedAt: Date | null }[]>`
    select cancel_requested_at from operations
    where id = ${id} and lease_token = ${leaseToken} and status = 'running'
    for no key update`;
  if (row === undefined) throw new RunInterrupted('lease_lost');
  if (row.cancelRequestedAt !== null) throw new RunInterrupted('cancel_requested');
}

/** Stores the result of a step and renews the lease; the row must be locked. */
export async function recordStep(
  transaction: Transaction,
  { id }: Lease,
  { progress, checkpoint }: Step<unknown>,
  leaseMs: number,
): Promise<void> {
  const isCheckpoint = checkpoint !== undefined;
  await transaction`
    update operations set
      due_at = now() + ${leaseMs} * interval '1 millisecond',
      progress_completed = coalesce(${progress?.completed ?? null}, progress_completed),
      progress_total = coalesce(${progress?.total ?? null}, progress_total),
      progress_unit = coalesce(${progress?.unit ?? null}, progress_unit),
      checkpoint = coalesce(${isCheckpoint ? transaction.json(checkpoint as postgres.JSONValue) : null}, checkpoint),
      claim_count = case when ${isCheckpoint} then 1 else claim_count end,
      failure_count = case when ${isCheckpoint} then 0 else failure_count end
    where id = ${id}`;
}

/**
 * Gives an operation back before its lease ends: due again after `pauseMs`. A reason outside the work does
 * not count as a claim. False when the lease was lost already.
 */
export async function giveBack(
  db: Database,
  { id, leaseToken }: Lease,
  { pauseMs, isUncounted, isFailure }: { pauseMs: number; isUncounted: boolean; isFailure: boolean },
): Promise<boolean> {
  const { count } = await db`
    update operations set
      lease_token = null, due_at = now() + ${pauseMs} * interval '1 millisecond',
      claim_count = claim_count - ${isUncounted ? 1 : 0}::int, failure_count = failure_count + ${isFailure ? 1 : 0}::int
    where id = ${id} and lease_token = ${leaseToken} and status = 'running'`;
  return count === 1;
}
