import type { Transaction } from '../../../db/client.ts';
import type { EndpointDependencies, EndpointTarget } from './dependencies.ts';
import { lockOwnEndpoint, saveEndpoint } from './rows.ts';
import { writeFollowedSubjects } from './store-subjects.ts';

/**
 * Deletes an endpoint: later requests get 404, its secrets are erased, its open deliveries end as
 * `dead_letter` with `endpoint_deleted`. Any key of the account with the write scope may do it. Throws
 * `webhook_endpoint_not_found`, `precondition_failed`.
 */
export async function deleteEndpoint(
  transaction: Transaction,
  target: EndpointTarget,
  { clock }: EndpointDependencies,
): Promise<void> {
  await lockOwnEndpoint(transaction, target);
  const now = clock.now();
  const erased = { sealedSecret: new Uint8Array(), sealedPreviousSecret: null };
  await saveEndpoint(transaction, target.endpointId, { deletedAt: now, ...erased }, now);
  await writeFollowedSubjects(transaction, target.endpointId, { eventTypes: [], subjects: null });
}
