import type { Transaction } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { pauseEndpoints } from './pause-endpoints.ts';

/** Whether a result changes more than its delivery. */
export function concernsEndpoint({ verdict }: AttemptResult): boolean {
  return verdict.gone || verdict.pauseMs !== null;
}

/**
 * Pauses and disables the endpoints of results that decided their deliveries, in the caller's transaction. Returns the ids
 * of those that it disabled.
 */
export async function applyToEndpoints(
  transaction: Transaction,
  outbox: Outbox,
  results: readonly AttemptResult[],
  decidedIds: ReadonlySet<string>,
): Promise<string[]> {
  const decided = results.filter(({ claim }) => decidedIds.has(claim.deliveryId));
  await pauseEndpoints(
    transaction,
    decided.flatMap(({ claim, verdict: { pauseMs, responseStatus } }) =>
      pauseMs === null
        ? []
        : [
            {
              endpointId: claim.endpoint.id,
              pauseMs,
              reason: responseStatus === 429 ? ('http_429' as const) : ('http_503' as const),
            },
          ],
    ),
  );
  const gone = decided.filter(({ verdict }) => verdict.gone).map(({ claim }) => claim.endpoint.id);
  const disabledEndpointIds: string[] = [];
  for (const endpointId of [...new Set(gone)].sort()) {
    if (await disableEndpoint(transaction, outbox, endpointId, 'gone')) disabledEndpointIds.push(endpointId);
  }
  return disabledEndpointIds;
}
