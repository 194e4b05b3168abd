/**
 * The share of this process's slots that an endpoint may use, by how its last attempts from here went.
 * Endpoints that hang can fill half of the slots and no more, with one attempt each; new endpoints can fill
 * three quarters. So there is always room for endpoints that are known to respond. Kept in memory: after a
 * restart every endpoint is new once.
 * The limit over all relays is `WEBHOOK_ENDPOINT_CONCURRENCY`, divided among them (members/).
 */
export const shares = {
  proven: { perEndpoint: Number.POSITIVE_INFINITY, ofSlots: 1 },
  unproven: { perEndpoint: 2, ofSlots: 3 / 4 },
  stalled: { perEndpoint: 1, ofSlots: 1 / 2 },
} as const;
export type Share = keyof typeof shares;

/** Attempts that an endpoint may still start, by its limit, its share and the process. */
export function capacityLeft(
  share: Share,
  inFlight: number,
  used: Readonly<Record<Share, number>>,
  usedInAll: number,
  total: number,
): number {
  const { perEndpoint, ofSlots } = shares[share];
  // A share counts the slower ones too: stalled ⊂ unproven ⊂ proven.
  const usedBySlower =
    share === 'proven' ? usedInAll : share === 'unproven' ? used.unproven + used.stalled : used.stalled;
  return Math.min(perEndpoint - inFlight, Math.floor(total * ofSlots) - usedBySlower, total - usedInAll);
}
