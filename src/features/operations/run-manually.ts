import type { Transaction } from '../../db/client.ts';
import { OperationRefused } from './create-operation.ts';
import { endOperation, type OperationContext, type OperationEnd } from './end-operation.ts';
import { type LockedOperation, lockOperation } from './find-operation.ts';
import { type OperationRecord, toOperation } from './record.ts';
import type { Progress } from './runner/kind.ts';
import { isTerminal } from './state.ts';

type DriveContext = Omit<OperationContext, 'db'>;

/**
 * Reports progress of an operation that no runner of ours works on; a queued one is running from now on. Throws
 * OperationRefused.
 */
export async function reportProgress(
  transaction: Transaction,
  { clock, links }: DriveContext,
  operationId: string,
  { completed, total, unit }: Omit<Progress, 'unit'> & { unit: string | null },
): Promise<OperationRecord> {
  await startDriven(transaction, await lockDriven(transaction, operationId), clock.now());
  await transaction`
    update operations set
      progress_completed = ${completed}, progress_total = ${total}, progress_unit = coalesce(${unit}, progress_unit)
    where id = ${operationId} and status = 'running'`;
  return toOperation(await requireOperation(transaction, operationId), links, clock.now());
}

/**
 * Ends an operation that no runner of ours works on; a queued one is started first, so that every end but a
 * cancellation comes from running (contract/operations#transitions). Throws OperationRefused.
 */
export async function endDriven(
  transaction: Transaction,
  context: DriveContext,
  operationId: string,
  end: Exclude<OperationEnd, { status: 'cancelled' }>,
): Promise<OperationRecord> {
  const operation = await lockDriven(transaction, operationId);
  await startDriven(transaction, operation, context.clock.now());
  return endOperation(transaction, context, { ...operation, status: 'running' }, end);
}

/**
 * Cancels an operation: at once, or at its next step when a runner works on it (`isRequested`). Throws
 * OperationRefused when it has ended.
 */
export async function cancelOperation(
  transaction: Transaction,
  context: DriveContext,
  operationId: string,
): Promise<{ operation: OperationRecord; isRequested: boolean }> {
  const operation = await lockOpen(transaction, operationId);
  if (operation.status === 'running' && operation.dueAt !== null) {
    // Due at once where nobody works on it: a runner that rests or died would keep the client waiting.
    await transaction`
      update operations set cancel_requested_at = coalesce(cancel_requested_at, ${context.clock.now()}),
        due_at = case when lease_token is null then now() else due_at end
      where id = ${operationId} and status = 'running'`;
    return { operation: toOperation(operation, context.links, context.clock.now()), isRequested: true };
  }
  const cancelled = await endOperation(transaction, context, operation, { status: 'cancelled' });
  return { operation: cancelled, isRequested: false };
}

async function lockDriven(transaction: Transaction, operationId: string): Promise<LockedOperation> {
  const operation = await lockOpen(transaction, operationId);
  if (operation.dueAt !== null)
    throw new OperationRefused(
      `operation ${operationId} is run by the worker (${operation.kind}): only cancel is possible`,
    );
  return operation;
}

async function lockOpen(transaction: Transaction, operationId: string): Promise<LockedOperation> {
  const operation = await lockOperation(transaction, operationId);
  if (operation === null) throw new OperationRefused(`operation ${operationId} does not exist`);
  if (isTerminal(operation.status))
    throw new OperationRefused(
      `operation ${operationId} has ${describe[operation.status]}: that never changes`,
    );
  return operation;
}

const describe = { succeeded: 'succeeded', failed: 'failed', cancelled: 'been cancelled' } as const;

async function startDriven(transaction: Transaction, { id }: LockedOperation, now: Date): Promise<void> {
  await transaction`
    update operations set status = 'running', started_at = coalesce(started_at, ${now})
    where id = ${id} and status in ('queued', 'running')`;
}

async function requireOperation(transaction: Transaction, operationId: string): Promise<LockedOperation> {
  const operation = await lockOperation(transaction, operationId);
  if (operation === null) throw new Error('a locked operation vanished');
  return operation;
}
