/** A pool counts as active for so long after news. */
const ACTIVE_MS = 60_000;
const POOLS_PER_REQUEST = 99;
/** Part of the budget that sweeps of all pools may take while nothing wakes them, and while something does. */
const SHARE = { silent: 0.4, live: 0.1 };
const SHORTEST_MS = { silent: 500, live: 5_000 };
/** Active pools are a small part of all: they are looked at more often. */
const ACTIVE_DIVISOR = 6;

/**
 * How soon a pool's account is looked at again. While wake-ups come, the sweep only finds what they missed; without them
 * it is what finds trades. At 10,000 pools and 32 requests a second: 32 s live and 7.9 s without wake-ups, and a sixth for active pools.
 */
export function sweepIntervalMs({
  isLive,
  quietMs,
  poolCount,
  requestsPerSecond,
}: {
  isLive: boolean;
  quietMs: number;
  poolCount: number;
  requestsPerSecond: number;
}): number {
  const mode = isLive ? 'live' : 'silent';
  const requests = Math.ceil(poolCount / POOLS_PER_REQUEST);
  const affordableMs = (requests / (requestsPerSecond * SHARE[mode])) * 1_000;
  const allMs = Math.max(SHORTEST_MS[mode], affordableMs);
  return quietMs < ACTIVE_MS ? Math.max(SHORTEST_MS[mode], allMs / ACTIVE_DIVISOR) : allMs;
}
