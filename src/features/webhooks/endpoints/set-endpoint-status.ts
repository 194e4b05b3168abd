import type { Transaction } from '../../../db/client.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { changeEndpoint } from './change-endpoint.ts';
import type { EndpointDependencies } from './dependencies.ts';

/**
 * Enables or disables an endpoint of any account, for operators; an endpoint that has the status already
 * stays as it is. The effects are those of `changeEndpoint`. Throws Refusal.
 */
export async function setEndpointStatus(
  transaction: Transaction,
  endpointId: string,
  status: 'enabled' | 'disabled',
  dependencies: Pick<EndpointDependencies, 'outbox' | 'clock'>,
): Promise<void> {
  const [held] = await transaction<
    { accountId: string; version: number; status: string; isDeleted: boolean }[]
  >`
    select account_id, version, status, deleted_at is not null as is_deleted from webhook_endpoints
    where id = ${endpointId} for update`;
  if (held === undefined) throw new Refusal('unknown', `endpoint ${endpointId} does not exist`);
  if (held.isDeleted) throw new Refusal('conflict', `endpoint ${endpointId} is deleted`);
  if (held.status === status) return;
  const { accountId, version: expectedVersion } = held;
  const target = { endpointId, accountId, scopes: null, expectedVersion, keyId: null };
  await changeEndpoint(transaction, target, { status, destination: null }, dependencies);
}
