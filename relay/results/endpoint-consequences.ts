import type { Database, Queryable, Transaction } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { type EndpointPause, pauseEndpoints } from './pause-endpoints.ts';

export interface Written {
  /** Deliveries that these writes decided; the others belong to another relay, or their endpoint is gone. */
  decidedIds: ReadonlySet<string>;
  disabledEndpointIds: readonly string[];
}

/**
 * Writes attempts, and pauses or disables endpoints as their results ask for, atomically. Most results ask for nothing:
 * then the write is one statement, in one round trip.
 *
 * @param write returns the ids of the deliveries that it decided; `isFlushed`: the commit waits for the disk anyway
 */
export async function writeWithConsequences(
  sql: Database,
  outbox: Outbox,
  results: readonly AttemptResult[],
  write: (sql: Queryable, isFlushed: boolean) => Promise<ReadonlySet<string>>,
): Promise<Written> {
  if (!results.some(({ verdict }) => verdict.gone || verdict.pauseMs !== null))
    return { decidedIds: await write(sql, false), disabledEndpointIds: [] };
  return await sql.begin(async (transaction) => {
    const decidedIds = await write(transaction, true);
    const decided = results.filter(({ claim }) => decidedIds.has(claim.deliveryId));
    await pauseEndpoints(transaction, decided.flatMap(pauseOf));
    return { decidedIds, disabledEndpointIds: await disableGone(transaction, outbox, decided) };
  });
}

function pauseOf({ claim, verdict: { pauseMs, responseStatus } }: AttemptResult): EndpointPause[] {
  if (pauseMs === null) return [];
  return [{ endpointId: claim.endpoint.id, pauseMs, reason: responseStatus === 429 ? 'http_429' : 'http_503' }];
}

/** Returns the ids of the endpoints that it disabled; in id order, so that two relays cannot deadlock. */
async function disableGone(
  transaction: Transaction,
  outbox: Outbox,
  results: readonly AttemptResult[],
): Promise<string[]> {
  const gone = results.filter(({ verdict }) => verdict.gone).map(({ claim }) => claim.endpoint.id);
  const disabledIds: string[] = [];
  for (const endpointId of [...new Set(gone)].sort())
    if (await disableEndpoint(transaction, outbox, endpointId, 'gone')) disabledIds.push(endpointId);
  return disabledIds;
}
