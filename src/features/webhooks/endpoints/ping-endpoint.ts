import type { Transaction } from '../../../db/client.ts';
import { Problem } from '../../../shared/problem.ts';
import type { EndpointDependencies } from './dependencies.ts';
import { requireEndpoint } from './rows.ts';

/**
 * Sends a `webhook.ping` to this endpoint alone, and returns the id of the event. An endpoint that is
 * disabled at the same moment gets none. Throws `webhook_endpoint_not_found`, `webhook_endpoint_disabled`.
 */
export async function pingEndpoint(
  transaction: Transaction,
  endpointId: string,
  accountId: string,
  { outbox }: Pick<EndpointDependencies, 'outbox'>,
): Promise<{ endpointId: string; eventId: string }> {
  const { id, status, disabledReason } = await requireEndpoint(transaction, endpointId, accountId);
  if (status !== 'enabled')
    throw new Problem('webhook_endpoint_disabled', { context: { status, disabledReason } });
  const eventId = await outbox.append(transaction, {
    name: 'webhook.ping',
    subject: id,
    accountId,
    data: { endpointId: id },
    onlyEndpointId: id,
  });
  return { endpointId: id, eventId };
}
