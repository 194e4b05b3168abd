import type { Transaction } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import { parseInstant } from '../../../shared/instant.ts';
import { Problem } from '../../../shared/problem.ts';
import { type EndpointCaller, requireEndpointScopes } from '../../../shared/webhooks/endpoint-scopes.ts';
import { createOperation } from '../create-operation.ts';
import type { OperationRow } from '../record.ts';
import type { RecoveryBody } from './schema.ts';

const OPEN_MAX = 1;

export interface RecoveryOrder {
  caller: EndpointCaller;
  endpointId: string;
  request: RecoveryBody;
}

/**
 * Queues a recovery of what an endpoint did not get. Throws `webhook_endpoint_not_found`,
 * `insufficient_scope`, `webhook_endpoint_disabled`, `validation_failed` for a time in the future,
 * `operation_limit_reached`.
 */
export async function createRecovery(
  transaction: Transaction,
  { caller, endpointId, request }: RecoveryOrder,
  clock: Clock,
): Promise<OperationRow> {
  const { statuses = ['missed', 'retrying', 'dead_letter'] } = request;
  const since = parseInstant(request.since);
  const { accountId } = caller;
  const now = clock.now();
  // The lock keeps other transactions from starting one until this one ends.
  const [endpoint] = await transaction<
    { status: string; disabledReason: string | null; eventScopes: string[] | null }[]
  >`
    select status, disabled_reason, event_scopes from webhook_endpoints
    where id = ${endpointId} and account_id = ${accountId} and deleted_at is null for no key update`;
  if (endpoint === undefined) throw new Problem('webhook_endpoint_not_found');
  requireEndpointScopes(caller, endpoint.eventScopes);
  const { status, disabledReason } = endpoint;
  if (status !== 'enabled')
    throw new Problem('webhook_endpoint_disabled', { context: { status, disabledReason } });
  if (since > now)
    throw new Problem('validation_failed', {
      errors: [{ path: '/body/since', code: 'out_of_range', message: 'must not be in the future' }],
    });
  const open = await transaction`
    select from operations
    where account_id = ${accountId} and kind = 'delivery_recovery' and status in ('queued', 'running')
      and input ->> 'endpointId' = ${endpointId.toLowerCase()} limit ${OPEN_MAX}`;
  if (open.count >= OPEN_MAX) throw new Problem('operation_limit_reached', { context: { limit: OPEN_MAX } });
  const input = {
    endpointId: endpointId.toLowerCase(),
    since: since.toISOString(),
    until: now.toISOString(),
    statuses: [...new Set(statuses)],
  };
  return createOperation(transaction, clock, { accountId, kind: 'delivery_recovery', input });
}
