import type { Transaction } from '../../db/client.ts';
import { Problem } from '../../shared/problem.ts';
import { requireScopes } from '../../shared/require-scopes.ts';
import type { Scope } from '../../shared/scopes.ts';
import type { EndContext } from './end-operation.ts';
import { findOperation } from './find-operation.ts';
import { toOperation } from './record.ts';
import type { OperationRecord } from './schema.ts';
import { endingEvent, type OperationStatus } from './state.ts';

/** The kinds that an account starts itself, with the scope that starts and cancels them (contract/operations#cancel). */
const cancelScopes: Readonly<Record<string, Scope>> = {
  audience_export: 'audience:write',
  delivery_recovery: 'webhooks:write',
};

/**
 * Cancels an operation of the caller's account: immediately, or at its next step when a worker runs it (`isRequested`). One
 * that is cancelled already stays as it is. As `cancelOperation`, by a function of the database: the api may not change
 * operations. Throws `operation_not_found`, `insufficient_scope`, `operation_not_cancellable`.
 */
export async function cancelOwnOperation(
  transaction: Transaction,
  { outbox, clock, links }: EndContext,
  operationId: string,
  { accountId, scopes }: { accountId: string; scopes: readonly string[] },
): Promise<{ operation: OperationRecord; isRequested: boolean }> {
  const found = await findOperation(transaction, operationId, accountId);
  if (found === null) throw new Problem('operation_not_found');
  const { id, kind } = found;
  const scope = cancelScopes[kind];
  if (scope === undefined)
    throw new Problem('operation_not_cancellable', {
      detail: 'Only the operator can cancel an operation of this kind.',
      context: { kind, status: found.status },
    });
  requireScopes(scopes, [scope]);
  const now = clock.now();
  const [cancelled] = await transaction<{ before: OperationStatus }[]>`
    select cancel_operation(${id}::uuid, ${accountId}::uuid, ${now}::timestamptz) as before`;
  const row = await findOperation(transaction, id, accountId);
  if (cancelled === undefined || row === null) throw new Error('an operation has disappeared');
  const { before } = cancelled;
  if (before === 'succeeded' || before === 'failed')
    throw new Problem('operation_not_cancellable', { context: { kind, status: before } });
  const operation = toOperation(row, links, now);
  const name = before === 'queued' ? endingEvent(before, 'cancelled') : null;
  if (name !== null) await outbox.append(transaction, { name, subject: id, accountId, data: operation });
  return { operation, isRequested: before === 'running' };
}
