import { encodeBase58 } from '../../src/shared/base58.ts';
import { CLUSTER_SLOT_MS } from './cluster-facts.ts';
import { FIRST_SLOT } from './commitment.ts';
import type { HistoryStore } from './history-store.ts';
import type { SlotRange } from './skipped-slots.ts';
import { type ClockSegment, SlotClock } from './slot-clock.ts';

/** The saved state of a chain besides accounts and history. Blockhashes follow from genesis and slot. */
export interface ChainState {
  readonly genesisHash: string;
  readonly slot: bigint;
  /** Only advanceSlots moved the chain, so no slots passed while it was down. */
  readonly manual: boolean;
  readonly segments: readonly ClockSegment[];
  /** Slots whose blocks a fork has dropped. */
  readonly skipped: readonly SlotRange[];
}

interface SavedState {
  genesisHash: string;
  slot: string;
  manual: boolean;
  segments: { slot: string; unixMs: number; slotMs: number }[];
  /** Absent in what a version without forks has saved. */
  skipped?: { first: string; last: string }[];
}

export function loadChainState(store: HistoryStore): { state: ChainState; snapshot: Uint8Array } | null {
  const bytes = store.readState('chain');
  const snapshot = store.readState('accounts');
  if (bytes === null || snapshot === null) return null;
  const saved: SavedState = JSON.parse(Buffer.from(bytes).toString());
  const segments = saved.segments.map((segment) => ({ ...segment, slot: BigInt(segment.slot) }));
  const skipped = (saved.skipped ?? []).map(({ first, last }) => ({
    first: BigInt(first),
    last: BigInt(last),
  }));
  return { state: { ...saved, slot: BigInt(saved.slot), segments, skipped }, snapshot };
}

export function saveChainState(store: HistoryStore, snapshot: Uint8Array, state: ChainState): void {
  const segments = state.segments.map((segment) => ({ ...segment, slot: segment.slot.toString() }));
  const skipped = state.skipped.map(({ first, last }) => ({ first: String(first), last: String(last) }));
  const saved: SavedState = { ...state, slot: state.slot.toString(), segments, skipped };
  store.writeState('accounts', snapshot);
  store.writeState('chain', Buffer.from(JSON.stringify(saved)));
  store.commit();
}

/**
 * The state a chain starts from. A ticking chain counts the slots that passed while it was down (and those after
 * its last save), so slots, heights and times a client saw before a kill are never handed out again.
 */
export function resumeClock(saved: ChainState | null, slotMs: number | 'manual', nowMs: number): ChainState {
  const pace = slotMs === 'manual' ? CLUSTER_SLOT_MS : slotMs;
  const manual = slotMs === 'manual';
  if (saved === null) {
    const genesisHash = encodeBase58(crypto.getRandomValues(new Uint8Array(32)));
    return {
      genesisHash,
      slot: FIRST_SLOT,
      manual,
      segments: [{ slot: FIRST_SLOT, unixMs: nowMs, slotMs: pace }],
      skipped: [],
    };
  }
  if (saved.manual && manual) return saved;
  const clock = new SlotClock(saved.segments);
  let slot = saved.slot;
  if (!saved.manual && clock.slotAt(nowMs) > slot) slot = clock.slotAt(nowMs);
  slot += 1n;
  clock.push({ slot, unixMs: nowMs, slotMs: pace });
  return { ...saved, slot, manual, segments: clock.segments };
}
