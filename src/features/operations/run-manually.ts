import type { Transaction } from '../../db/client.ts';
import { hasHidden } from '../../shared/public-text.ts';
import { lockUnended } from './cancel-operation.ts';
import { OperationRefused } from './create-operation.ts';
import { type EndContext, endOperation, type OperationEnd } from './end-operation.ts';
import { type LockedOperation, lockOperation } from './find-operation.ts';
import { toOperation } from './record.ts';
import type { Progress } from './runner/kind.ts';
import type { OperationRecord } from './schema.ts';

/**
 * Reports progress of an operation that the worker does not run; a queued operation becomes running. Throws
 * OperationRefused.
 */
export async function reportProgress(
  transaction: Transaction,
  { clock, links }: EndContext,
  operationId: string,
  { completed, total, unit }: Omit<Progress, 'unit'> & { unit: string | null },
): Promise<OperationRecord> {
  if (completed > total)
    throw new OperationRefused('invalid', 'completed must not exceed total', '/completed');
  await startManually(transaction, await lockManual(transaction, operationId), clock.now());
  await transaction`
    update operations set
      progress_completed = ${completed}, progress_total = ${total}, progress_unit = coalesce(${unit}, progress_unit)
    where id = ${operationId} and status = 'running'`;
  return toOperation(await requireOperation(transaction, operationId), links, clock.now());
}

/**
 * Ends an operation that the worker does not run. A queued operation starts first, because only a
 * cancellation may end a queued one (contract/operations#transitions). Throws OperationRefused.
 */
export async function endManually(
  transaction: Transaction,
  context: EndContext,
  operationId: string,
  end: Exclude<OperationEnd, { status: 'cancelled' }>,
): Promise<OperationRecord> {
  if ('resultUrl' in end && end.resultUrl !== null && !isResultUrl(end.resultUrl))
    throw new OperationRefused(
      'invalid',
      `the result must have an https address of at most ${RESULT_URL_LENGTH_MAX} characters, without a user name or password`,
      '/resultUrl',
    );
  const operation = await lockManual(transaction, operationId);
  await startManually(transaction, operation, context.clock.now());
  return endOperation(transaction, context, { ...operation, status: 'running' }, end);
}

const RESULT_URL_LENGTH_MAX = 2_048;

function isResultUrl(text: string): boolean {
  if (text.length > RESULT_URL_LENGTH_MAX || hasHidden(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

async function lockManual(transaction: Transaction, operationId: string): Promise<LockedOperation> {
  const operation = await lockUnended(transaction, operationId);
  if (operation.dueAt !== null)
    throw new OperationRefused(
      'conflict',
      `operation ${operationId} is run by the worker (${operation.kind}): only cancel is possible`,
    );
  return operation;
}

async function startManually(transaction: Transaction, { id }: LockedOperation, now: Date): Promise<void> {
  await transaction`
    update operations set status = 'running', started_at = coalesce(started_at, ${now})
    where id = ${id} and status in ('queued', 'running')`;
}

async function requireOperation(transaction: Transaction, operationId: string): Promise<LockedOperation> {
  const operation = await lockOperation(transaction, operationId);
  if (operation === null) throw new Error('a locked operation has disappeared');
  return operation;
}
