import type { Database, Queryable, Transaction } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { PauseReason } from '../../src/shared/webhooks/endpoint-record.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { disableEndpoint } from './disable-endpoint.ts';

export interface WriteOutcome {
  /** Deliveries that these writes decided. The others belong to another relay, or their endpoint is gone. */
  decidedIds: ReadonlySet<string>;
  disabledEndpointIds: readonly string[];
}

export interface EndpointPause {
  endpointId: string;
  pauseMs: number;
  reason: PauseReason;
}

/**
 * Writes attempts, and pauses or disables endpoints as their results ask for, atomically. Most results ask for neither:
 * then the write is one statement, in one round trip.
 *
 * @param write returns the ids of the deliveries that it decided; `isFlushed`: the commit waits for the disk anyway
 */
export async function writeWithConsequences(
  sql: Database,
  outbox: Outbox,
  results: readonly AttemptResult[],
  write: (sql: Queryable, isFlushed: boolean) => Promise<ReadonlySet<string>>,
): Promise<WriteOutcome> {
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

/** Disables endpoints in id order, so that two relays cannot deadlock. Returns the ids of those that it disabled. */
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

/**
 * Pauses whole endpoints (contract/delivery#retry-after); a longer pause is kept. Locks rows in id order, so that two
 * relays cannot deadlock.
 */
export async function pauseEndpoints(
  transaction: Transaction,
  pauses: readonly EndpointPause[],
): Promise<void> {
  const longest = new Map<string, EndpointPause>();
  for (const pause of pauses) {
    if (pause.pauseMs > (longest.get(pause.endpointId)?.pauseMs ?? 0)) longest.set(pause.endpointId, pause);
  }
  const inOrder = [...longest.values()].sort((left, right) => (left.endpointId < right.endpointId ? -1 : 1));
  for (const { endpointId, pauseMs, reason } of inOrder) {
    const end = transaction`now() + ${pauseMs} * interval '1 millisecond'`;
    await transaction`
      update webhook_endpoints set
        pause_reason = case when paused_until > ${end} then pause_reason else ${reason} end,
        paused_until = greatest(paused_until, ${end})
      where id = ${endpointId}`;
  }
}
