import type { Transaction } from '../../../db/client.ts';
import { cleanUpAudienceExport } from './audience-rows.ts';
import { isRunnerKind, type RunnerKind } from './input-schema.ts';

/** Deletes the rows that a kind keeps in its own tables while it runs. */
type CleanUp = (transaction: Transaction, operationId: string) => Promise<void>;

const cleanUps: Readonly<Record<RunnerKind, CleanUp>> = {
  audience_export: cleanUpAudienceExport,
  // The list that the release before kept while it ran.
  delivery_replay: async (transaction, operationId) => {
    await transaction`delete from operation_deliveries where operation_id = ${operationId}`;
  },
  // It keeps nothing but its checkpoint.
  delivery_recovery: async () => {},
};

/** Deletes the working rows of an operation that has ended. Kinds that the worker does not run have none. */
export async function cleanUp(
  transaction: Transaction,
  { id, kind }: { id: string; kind: string },
): Promise<void> {
  if (isRunnerKind(kind)) await cleanUps[kind](transaction, id);
}
