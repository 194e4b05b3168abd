import type { Transaction } from '../../db/client.ts';
import { OperationRefused } from './create-operation.ts';
import { type EndContext, endOperation } from './end-operation.ts';
import { type LockedOperation, lockOperation } from './find-operation.ts';
import { toOperation } from './record.ts';
import type { OperationRecord } from './schema.ts';
import { isTerminal } from './state.ts';

/**
 * Cancels an operation: immediately, or at its next step when the worker runs it (`isRequested`). Throws
 * OperationRefused when it has ended.
 */
export async function cancelOperation(
  transaction: Transaction,
  context: EndContext,
  operationId: string,
): Promise<{ operation: OperationRecord; isRequested: boolean }> {
  const operation = await lockUnended(transaction, operationId);
  if (operation.status === 'running' && operation.dueAt !== null) {
    // Due now when no worker runs it: otherwise the client would wait for a pause or a lease to end.
    await transaction`
      update operations set cancel_requested_at = coalesce(cancel_requested_at, ${context.clock.now()}),
        due_at = case when lease_token is null then now() else due_at end
      where id = ${operationId} and status = 'running'`;
    return { operation: toOperation(operation, context.links, context.clock.now()), isRequested: true };
  }
  const cancelled = await endOperation(transaction, context, operation, { status: 'cancelled' });
  return { operation: cancelled, isRequested: false };
}

/** Locks an operation that has not ended. Throws OperationRefused. */
export async function lockUnended(transaction: Transaction, operationId: string): Promise<LockedOperation> {
  const operation = await lockOperation(transaction, operationId);
  if (operation === null) throw new OperationRefused('unknown', `operation ${operationId} does not exist`);
  if (isTerminal(operation.status))
    throw new OperationRefused(
      'conflict',
      `operation ${operationId} has ${ended[operation.status]}: that never changes`,
    );
  return operation;
}

const ended = { succeeded: 'succeeded', failed: 'failed', cancelled: 'been cancelled' } as const;
