import type { Transaction } from '../../src/db/client.ts';
import type { PauseReason } from '../../src/shared/webhooks/endpoint-record.ts';

export interface EndpointPause {
  endpointId: string;
  pauseMs: number;
  reason: PauseReason;
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
