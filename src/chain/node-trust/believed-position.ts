import type { Clock } from '../../shared/clock.ts';
import { fastestOf, mostIn } from '../pace/chain-pace.ts';
import { measured } from '../pace/measured-pace.ts';
import { type PaceBounds, WINDOW_BLOCKS } from '../pace/protocol.ts';
import { getPosition } from '../rpc/position-calls.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { BURST_BLOCKS } from './climb-limit.ts';
import type { ChainPosition, DatedPosition } from './position-history.ts';

/**
 * Blocks by which one node may know more of the chain than another. Synchronised nodes are a few blocks apart.
 */
export const LEAD_BLOCKS = 32n;
/** Nodes that must agree before anything irreversible happens. */
const PROOFS = 2;
/** The largest int8 of Postgres. No chain gets there. */
export const POSITION_MAX = 2n ** 63n - 1n;

/** The parts of another node by which a reading is judged. */
export type Witness = Pick<ChainRpc, 'positions' | 'quarantine'>;

/**
 * Reads the position of a node and records the response for `believedPosition`. This is a separate step,
 * because the first readings of several nodes corroborate each other.
 */
export async function readPosition(
  rpc: ChainRpc,
  timeoutMs: number,
  clock: Clock,
): Promise<RpcOutcome<ChainPosition>> {
  const outcome = await getPosition(rpc, timeoutMs);
  rpc.positions.record(outcome.ok ? outcome.value : null, clock.now());
  return outcome;
}

/**
 * How much faster than measured a node may climb while the only other node contradicts it. A gate shortens slots
 * by a quarter at most.
 */
const CONTRADICTED_RATIO = 1.5;
/** What such a node gains while a window lasts, at any pace. */
export const GAIN_MAX_BLOCKS = BURST_BLOCKS + Number(WINDOW_BLOCKS) * (CONTRADICTED_RATIO - 1);

/**
 * A reading if it is believed, else null. It is believed in three cases: a second node is near it; the node can
 * have climbed that far from its last believed position; or it is the node's first reading and there is no
 * second node to wait for. A reading lower than the one before is believed too: the node lags.
 */
export function believedPosition(
  rpc: ChainRpc,
  reading: ChainPosition,
  rpcs: readonly Witness[],
  now: Date,
): ChainPosition | null {
  const { positions } = rpc;
  const others = rpcs.filter((other) => other !== rpc);
  const isAlone = others.every((other) => other.positions.isGone(now));
  const witnesses = others.filter(
    (other) => !other.quarantine.isActive && other.positions.latest(now) !== null,
  );
  const isNearOther = witnesses.some((other) => isNear(reading, other, now));
  // A node that has stopped climbing, for example because it starts, contradicts nobody.
  const against = isNearOther ? [] : witnesses.filter((other) => other.positions.isClimbing(now));
  const perSecond = climbPerSecond(rpc, against, now);
  const isFirst = isAlone && !positions.hasBelieved;
  if (isStorable(reading) && (isNearOther || isFirst || positions.canReach(reading, now, perSecond))) {
    positions.believe(reading, now, perSecond);
    if (showsPace(reading, witnesses, against, now)) positions.pace.record(reading, now);
    return reading;
  }
  // The node has no history and no other node has responded: this may be its first reading, not a wrong one.
  if (positions.hasBelieved || witnesses.length > 0 || isAlone)
    positions.ignore(against.length > 0 ? 'ahead' : 'too_fast');
  return null;
}

/**
 * How far a node may climb in a second by its own history, while these nodes are far behind it: as fast as a chain can
 * if there are none, not at all if two of them agree.
 */
function climbPerSecond(rpc: ChainRpc, against: readonly Witness[], now: Date): number {
  const { bounds, pace } = rpc.positions;
  if (against.length === 0) return fastestOf(bounds);
  // It does not answer as of the slot that it claims.
  if (rpc.positions.isDisproven(now)) return Number.NEGATIVE_INFINITY;
  const latest = against.flatMap(({ positions }) => positions.latest(now) ?? []);
  const doAgree = latest.some((reading, at) =>
    against.slice(at + 1).some((other) => isLevel(reading, other, now)),
  );
  if (doAgree) return Number.NEGATIVE_INFINITY;
  // A node's own word about its pace does not count here, that of the others does.
  const paces = [pace.measured, ...against.map(({ positions }) => positions.pace.rates)];
  const fastest = Math.max(...paces.map((rates) => measured(rates, bounds).slotsPerSecond));
  // A contradiction lets no node climb faster than it may alone.
  return Math.min(fastestOf(bounds), CONTRADICTED_RATIO * fastest);
}

/** The pace of a node that lags, or of one that is contradicted, is not the pace of the chain. */
function showsPace(
  reading: ChainPosition,
  witnesses: readonly Witness[],
  against: readonly Witness[],
  now: Date,
): boolean {
  if (witnesses.some((other) => isLevel(reading, other, now))) return true;
  return against.length === 0 && witnesses.every((other) => !isAhead(other, reading, now));
}

export function isStorable({ slot, blockHeight }: ChainPosition): boolean {
  return slot <= POSITION_MAX && blockHeight <= POSITION_MAX;
}

/** True unless the reading is far ahead of another node's fresh reading. */
function isNear(reading: ChainPosition, { positions }: Witness, now: Date): boolean {
  const other = positions.latest(now);
  return other !== null && lead(reading, other) <= leadMax(other, positions.bounds, now);
}

/** Whether another node's fresh reading is far ahead of this one. */
function isAhead({ positions }: Witness, reading: ChainPosition, now: Date): boolean {
  const other = positions.latest(now);
  return other !== null && lead(other, reading) > leadMax(other, positions.bounds, now);
}

/** True while neither is far ahead of the other. */
function isLevel(reading: ChainPosition, other: Witness, now: Date): boolean {
  return isNear(reading, other, now) && !isAhead(other, reading, now);
}

/** By how many slots or blocks the first is ahead, whichever is more. */
function lead(first: ChainPosition, second: ChainPosition): bigint {
  const slots = first.slot - second.slot;
  const blocks = first.blockHeight - second.blockHeight;
  if (slots > blocks) return slots;
  return blocks;
}

function leadMax({ atMs }: DatedPosition, bounds: PaceBounds, now: Date): bigint {
  return LEAD_BLOCKS + mostIn(now.getTime() - atMs, fastestOf(bounds));
}

/**
 * How many nodes have to prove that a transaction can no longer land: two, or all when there are fewer. A
 * node that is gone does not count. A quarantined node proves nothing, but it lowers the number only when it
 * has been silent for as long as a node that is gone.
 */
export function proofsNeeded(rpcs: readonly ChainRpc[], now: Date): number {
  const counted = rpcs.filter(({ positions }) => !positions.isGone(now));
  return Math.max(1, Math.min(PROOFS, counted.length));
}

const TIMEOUT_MS = 2_000;
/** A batch asks each node once, not once for every item. This holds for a node that does not respond, too. */
const KEPT_MS = 1_000;

/**
 * Asks each node for its position, unless it was asked a moment ago: for processes that do not poll the head.
 * The readings count for the trust in the nodes, and for the highest known block (`chain-reach.ts`).
 */
export async function readRecentPositions(rpcs: readonly ChainRpc[], clock: Clock): Promise<void> {
  const began = clock.now();
  const read = await Promise.all(
    rpcs.map(async (rpc) => {
      if (rpc.positions.wasAskedWithin(KEPT_MS, began)) return null;
      const outcome = await readPosition(rpc, TIMEOUT_MS, clock);
      return outcome.ok ? outcome.value : null;
    }),
  );
  believePositions(read, rpcs, clock);
}

/** Decides which readings are believed. A separate step, because the first ones corroborate each other. */
export function believePositions(
  positions: readonly (ChainPosition | null)[],
  rpcs: readonly ChainRpc[],
  clock: Clock,
): void {
  const now = clock.now();
  for (const [at, rpc] of rpcs.entries()) {
    const position = positions[at] ?? null;
    if (position !== null) believedPosition(rpc, position, rpcs, now);
  }
}
