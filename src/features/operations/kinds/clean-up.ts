import type { Transaction } from '../../../db/client.ts';
import { cleanUpAudienceExport } from './audience-rows.ts';
import { cleanUpDeliveryReplay } from './delivery-rows.ts';
import { isRunnerKind, type RunnerKind } from './input-schema.ts';

/** Deletes what a kind keeps in tables of its own while it runs. */
type CleanUp = (transaction: Transaction, operationId: string) => Promise<void>;

const cleanUps: Readonly<Record<RunnerKind, CleanUp>> = {
  audience_export: cleanUpAudienceExport,
  delivery_replay: cleanUpDeliveryReplay,
  // Keeps its place in its checkpoint.
  delivery_recovery: async () => {},
};

/** Leaves nothing of an ended operation's work behind; kinds that the worker does not run keep no rows. */
export async function cleanUp(
  transaction: Transaction,
  { id, kind }: { id: string; kind: string },
): Promise<void> {
  if (isRunnerKind(kind)) await cleanUps[kind](transaction, id);
}
