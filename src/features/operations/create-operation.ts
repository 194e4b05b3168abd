import type postgres from 'postgres';
import type { Transaction } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import { Refusal } from '../../shared/refusal.ts';
import { timedId } from '../../shared/timed-id.ts';
import { findOperation } from './find-operation.ts';
import { inputMistake, isRunnerKind } from './kinds/input-schema.ts';
import type { OperationRow } from './record.ts';

/** A change of operations is not possible; the message is for the operator. */
export class OperationRefused extends Refusal {
  override readonly name: string = 'OperationRefused';
}

export interface NewOperation {
  accountId: string;
  /** Lowercase identifier (contract/operations#operation). */
  kind: string;
  input: unknown;
}

const KIND = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Stores a queued operation. A kind that the worker runs is due immediately; any other kind waits for the
 * admin commands. Throws OperationRefused.
 */
export async function createOperation(
  transaction: Transaction,
  clock: Clock,
  { accountId, kind, input }: NewOperation,
): Promise<OperationRow> {
  if (!KIND.test(kind))
    throw new OperationRefused(
      'invalid',
      'the kind must be lowercase letters, digits and underscores, a letter first',
      '/kind',
    );
  const hasRunner = isRunnerKind(kind);
  const mistake = hasRunner ? inputMistake(kind, input) : null;
  if (mistake !== null)
    throw new OperationRefused('invalid', `the input of ${kind} is invalid: ${mistake}`, '/input');
  if ((await transaction`select from accounts where id = ${accountId}`).count === 0)
    throw new OperationRefused('invalid', `account ${accountId} does not exist`, '/accountId');
  const now = clock.now();
  const id = timedId(now);
  await transaction`
    insert into operations (id, account_id, kind, status, input, created_at, due_at)
    values (${id}, ${accountId}, ${kind}, 'queued', ${transaction.json(input as postgres.JSONValue)}, ${now},
      ${hasRunner ? transaction`now()` : null})`;
  const row = await findOperation(transaction, id, accountId);
  if (row === null) throw new Error('an inserted operation was not found');
  return row;
}
