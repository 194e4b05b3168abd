import type { Clock } from '../../shared/clock.ts';
import { getPosition } from '../rpc/position-calls.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { CLIMB_PER_SECOND } from './climb-limit.ts';
import type { ChainPosition, DatedPosition } from './position-history.ts';

/** Synchronised nodes are a few blocks apart; a node may lead another by this much and still be corroborated by it. */
export const LEAD_MAX = 32;
/** Nodes that have to agree before anything irreversible depends on them. */
const PROOFS = 2;
/** What Postgres can store as int8: no chain gets there. */
export const POSITION_MAX = 2n ** 63n - 1n;

/** What another node says, as far as a reading is judged by it. */
export type Witness = Pick<ChainRpc, 'positions' | 'quarantine'>;

/**
 * Reads the position of a node and records the response, for `believedPosition`. A separate step, because the first
 * readings of several nodes corroborate each other.
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
 * A reading as far as it is believed; null otherwise. It is believed when the node can have got there from what was
 * believed of it before, when a second node is about as far, or, as the first of a node, when no second node is to be
 * waited for. A lower reading than before is a node that lags, and believed.
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
  // Without a history, and before any other node has responded, it may only be the first.
  if (positions.hasBelieved || reported.length > 0 || isAlone) positions.ignore();
  return null;
}

/** True unless the reading is far ahead of what another node reported a moment ago. */
function isNear(reading: ChainPosition, other: DatedPosition, now: Date): boolean {
  const leadMax = LEAD_MAX + (Math.max(0, now.getTime() - other.atMs) / 1_000) * CLIMB_PER_SECOND;
  return (
    Number(reading.slot - other.slot) <= leadMax && Number(reading.blockHeight - other.blockHeight) <= leadMax
  );
}

/**
 * How many nodes have to prove that a transaction can no longer land: two, or as many as there are. A node that is gone is
 * not waited for. A quarantine lowers the number no sooner than silence does: its node proves nothing meanwhile.
 */
export function proofsNeeded(rpcs: readonly ChainRpc[], now: Date): number {
  const counted = rpcs.filter(({ positions }) => !positions.isGone(now));
  return Math.max(1, Math.min(PROOFS, counted.length));
}

const TIMEOUT_MS = 2_000;
/** A batch asks each node once and not for every item, also a node that does not respond. */
const KEPT_MS = 1_000;

/**
 * Asks each node where it is, unless it was asked a moment ago: for processes that do not keep the head. What is read counts for
 * the trust in the nodes, and for what is known of the chain (`chain-reach.ts`).
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

/** Records how far readings are believed. A separate step, because the first ones corroborate each other. */
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
