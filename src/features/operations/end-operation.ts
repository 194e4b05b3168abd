import type { Database, Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ProblemCode } from '../../shared/problem-table.ts';
import { type LockedOperation, lockOperation } from './find-operation.ts';
import { cleanUpAudienceExport } from './kinds/audience-rows.ts';
import { isRunnerKind, type RunnerKind } from './kinds/input-schema.ts';
import { type OperationLinks, toOperation } from './record.ts';
import { deleteChunks, insertResult, type ResultFile } from './results/rows.ts';
import type { OperationRecord } from './schema.ts';
import { endingEvent } from './state.ts';

/** Deletes the rows that a kind keeps in its own tables while it runs. */
type CleanUp = (transaction: Transaction, operationId: string) => Promise<void>;

const cleanUps: Readonly<Record<RunnerKind, CleanUp | null>> = {
  audience_export: cleanUpAudienceExport,
  // They keep nothing but their checkpoints.
  delivery_replay: null,
  delivery_recovery: null,
};

export type OperationEnd =
  | { status: 'succeeded'; file: ResultFile }
  | { status: 'succeeded'; resultUrl: string | null }
  | { status: 'failed'; code: ProblemCode; detail: string | null; requestId: string }
  | { status: 'cancelled' };

export interface OperationContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  links: OperationLinks;
}

/** As OperationContext, for a change in the caller's transaction. */
export type EndContext = Omit<OperationContext, 'db'>;

/**
 * Ends a locked operation in the caller's transaction: status, time, result or error, and the event. Throws
 * when the operation cannot end that way: a terminal state never changes.
 */
export async function endOperation(
  transaction: Transaction,
  { outbox, clock, links }: EndContext,
  operation: LockedOperation,
  end: OperationEnd,
): Promise<OperationRecord> {
  const { id, accountId, status } = operation;
  const name = endingEvent(status, end.status);
  if (name === null) throw new Error(`an operation cannot go from ${status} to ${end.status}`);
  const now = clock.now();
  await updateEnded(transaction, operation, end, now);
  if ('file' in end) await insertResult(transaction, id, end.file, now);
  else await deleteChunks(transaction, id);
  await cleanUp(transaction, operation);
  const row = await lockOperation(transaction, id);
  if (row === null) throw new Error('a locked operation has disappeared');
  const data = toOperation(row, links, now);
  await outbox.append(transaction, { name, subject: id, accountId, data });
  return data;
}

async function updateEnded(
  transaction: Transaction,
  { id, status }: LockedOperation,
  end: OperationEnd,
  now: Date,
): Promise<void> {
  const error = end.status === 'failed' ? end : null;
  const { count } = await transaction`
    update operations set
      status = ${end.status}, completed_at = ${now}, due_at = null, lease_token = null, checkpoint = null,
      result_url = ${'resultUrl' in end ? end.resultUrl : null}, error_code = ${error?.code ?? null},
      error_detail = ${error?.detail ?? null}, error_request_id = ${error?.requestId ?? null}
    where id = ${id} and status = ${status}`;
  if (count !== 1) throw new Error('a locked operation changed');
}

/** Deletes the working rows of an operation that has ended. Kinds that the worker does not run have none. */
async function cleanUp(transaction: Transaction, { id, kind }: { id: string; kind: string }): Promise<void> {
  if (isRunnerKind(kind)) await cleanUps[kind]?.(transaction, id);
}
