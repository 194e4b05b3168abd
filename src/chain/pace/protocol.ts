// Facts of the protocol and of node software, each said once (reference/solana#what-changes). Whatever depends on the
// pace of the chain asks `measured-pace.ts`.

/**
 * Blocks for which a blockhash is valid on every public cluster: MAX_PROCESSING_AGE of Agave. It counts blocks,
 * not slots and not time.
 */
export const WINDOW_BLOCKS = 150n;

/** A local chain may leave people more time to sign: up to 33 minutes at the pace of mainnet (`npm start` has 30). */
export const LOCAL_WINDOW_BLOCKS = 10_000n;

/** Slots for which a node keeps the status of a transaction in memory. Later it searches its history. */
export const STATUS_CACHE_SLOTS = 150;

/** Blocks in the response to getRecentPrioritizationFees. */
export const PRICED_BLOCKS_MAX = 150;

/**
 * The length of a slot on mainnet after the last gate of SIMD-0525, for processes that have not measured one yet.
 */
export const NOMINAL_SLOT_MS = 200;

/** The slot lengths that this deployment takes for possible. */
export interface PaceBounds {
  shortestSlotMs: number;
  longestSlotMs: number;
}

/** The bounds that a deployment configures. */
export function paceBounds(config: { solanaSlotMsMin: number; solanaSlotMsMax: number }): PaceBounds {
  return { shortestSlotMs: config.solanaSlotMsMin, longestSlotMs: config.solanaSlotMsMax };
}

/**
 * The shortest is a third of mainnet's slot, and two fifths of devnet's, which is the shortest of a public cluster (166
 * ms). The longest is twice the slot that mainnet had before 2026.
 */
export const protocolBounds: PaceBounds = { shortestSlotMs: 66, longestSlotMs: 800 };
