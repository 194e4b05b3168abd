import type { Transaction } from '../../src/db/client.ts';

/**
 * Pauses whole endpoints (contract/delivery#retry-after); a longer pause is kept. Locks rows in id order, so that two
 * relays cannot deadlock.
 */
export async function pauseEndpoints(
  transaction: Transaction,
  pauses: readonly { endpointId: string; pauseMs: number }[],
): Promise<void> {
  const longest = new Map<string, number>();
  for (const { endpointId, pauseMs } of pauses) {
    longest.set(endpointId, Math.max(pauseMs, longest.get(endpointId) ?? 0));
  }
  for (const [endpointId, pauseMs] of [...longest].sort(([left], [right]) => (left < right ? -1 : 1))) {
    await transaction`
      update webhook_endpoints set
        paused_until = greatest(paused_until, now() + ${pauseMs} * interval '1 millisecond')
      where id = ${endpointId}`;
  }
}
