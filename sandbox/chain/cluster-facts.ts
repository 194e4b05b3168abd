/** What mainnet runs with, as of October 2026. `docs/sandbox-chain.md#cluster` has the sources. */

/** SIMD-0525: its gate of 200 ms was activated at slot 454,464,000 and holds since slot 454,896,000, 9 October 2026. */
export const CLUSTER_SLOT_MS = 200;
/** A blockhash is good up to and including this many blocks after the one that produced it. SIMD-0525 left it. */
export const CLUSTER_BLOCKHASH_WINDOW_BLOCKS = 150n;
/** SIMD-0437, second step: gate `set_lamports_per_byte_to_5080`, slot 446,256,000, 11 September 2026. */
export const CLUSTER_RENT_LAMPORTS_PER_BYTE = 5_080n;
/** SIMD-0306: the units of a block for the transactions that write one account. */
export const CLUSTER_ACCOUNT_SHARE = 0.4;

// SIMD-0286: gate `raise_block_limits_to_100m`, slot 435,888,000. SIMD-0525 scales it from 400 ms down to 200 ms.
const COMPUTE_UNITS_AT_LONGEST_SLOT = 100_000_000;
const LONGEST_SLOT_MS = 400;

/**
 * Compute units of a block: 50 million at 200 ms. A cluster has no slots outside of 200 to 400 ms, so no other limits.
 */
export function clusterBlockComputeUnits(slotMs: number): number {
  const scaledMs = Math.min(Math.max(slotMs, CLUSTER_SLOT_MS), LONGEST_SLOT_MS);
  return Math.floor((COMPUTE_UNITS_AT_LONGEST_SLOT * scaledMs) / LONGEST_SLOT_MS);
}
