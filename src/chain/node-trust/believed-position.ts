import type { Clock } from '../../shared/clock.ts';
import { getPosition } from '../rpc/position-calls.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { CLIMB_PER_SECOND } from './climb-limit.ts';
import type { ChainPosition, DatedPosition } from './position-history.ts';

/**
 * Synchronised nodes are a few blocks apart. A node can corroborate another that leads by at most this much.
 */
export const LEAD_MAX = 32;
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
 * A reading if it is believed, else null. It is believed in three cases: the node can have climbed that far
 * from its last believed position; a second node is near it; or it is the node's first reading and there is
 * no second node to wait for. A reading lower than the one before is believed too: the node lags.
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
  const reported = others
    .filter(({ quarantine }) => !quarantine.isActive)
    .flatMap(({ positions }) => positions.latest(now) ?? []);
  const isCorroborated =
    reading.slot <= POSITION_MAX &&
    reading.blockHeight <= POSITION_MAX &&
    (positions.canReach(reading, now) ||
      reported.some((other) => isNear(reading, other, now)) ||
      (isAlone && !positions.hasBelieved));
  if (isCorroborated) {
    positions.believe(reading, now);
    return reading;
  }
  // The node has no history and no other node has responded: this may be its first reading, not a wrong one.
  if (positions.hasBelieved || reported.length > 0 || isAlone) positions.ignore();
  return null;
}

/** True unless the reading is far ahead of another node's fresh reading. */
function isNear(reading: ChainPosition, other: DatedPosition, now: Date): boolean {
  const leadMax = LEAD_MAX + (Math.max(0, now.getTime() - other.atMs) / 1_000) * CLIMB_PER_SECOND;
  return (
    Number(reading.slot - other.slot) <= leadMax && Number(reading.blockHeight - other.blockHeight) <= leadMax
  );
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
