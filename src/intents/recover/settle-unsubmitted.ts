import { believedPosition, proofsNeeded, readPosition } from '../../chain/node-trust/believed-position.ts';
import type { ChainPosition } from '../../chain/node-trust/position-history.ts';
import { fastestOf, mostIn } from '../../chain/pace/chain-pace.ts';
import { paceOf } from '../../chain/pace/measured-pace.ts';
import { WINDOW_BLOCKS } from '../../chain/pace/protocol.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { lifetimeOf } from '../../chain/transaction-lifetime.ts';
import { readTransaction } from '../../chain/transaction-reader.ts';
import type { ConfirmContext } from '../confirm/confirm-submitted.ts';
import { decideOutcome, type NodeView } from '../confirm/outcome.ts';
import { type LifetimeReading, readLifetimes, type UntimedIntent } from '../confirm/read-lifetimes.ts';
import { endIntents } from '../end/end-intents.ts';
import type { IntentRow } from '../row.ts';
import { findInLists, listWallet, type WalletList } from './find-landed.ts';
import { restoreSubmission } from './store-submission-again.ts';

const TIMEOUT_MS = 2_000;
/** A nonce may be good for years. Nobody repeats a lost transaction for longer than this after `expiresAt`. */
const UNUSED_NONCE_MS = 3_600_000;

/** What became of intents without a submission here, whose submission may have been lost. */
export interface Settled {
  /** They landed, and are `submitted` again. */
  landed: string[];
  /** They did not land and cannot any more. */
  expired: number;
  /** The nodes have proven neither: asked again later. */
  held: number;
}

/** A node with what it has reported before it lists anything. */
interface Witness {
  rpc: ChainRpc;
  position: ChainPosition | null;
  lifetimes: ReadonlyMap<string, LifetimeReading>;
}

/**
 * Ends overdue intents that are older than a loss of the database. One that a node lists as landed becomes
 * `submitted` with the bytes that its wallet signed. One expires only when as many nodes as end a submitted
 * intent list everything of its wallet from a state in which it could no longer land, and none lists this one.
 */
export async function settleUnsubmitted(
  context: ConfirmContext,
  intents: readonly IntentRow[],
): Promise<Settled> {
  if (intents.length === 0) return { landed: [], expired: 0, held: 0 };
  const { db, outbox, rpcs, clock, onStatusChanged } = context;
  const witnesses = await callWitnesses(context, intents);
  const landed: string[] = [];
  const expired: IntentRow[] = [];
  for (const [wallet, ofWallet] of Map.groupBy(intents, ({ expectedSigner }) => expectedSigner)) {
    const lists = await Promise.all(
      witnesses.map((witness) => listWallet(witness.rpc, wallet, rangeOf(witness, ofWallet, clock.now()))),
    );
    for (const intent of ofWallet) {
      const landing = await findInLists(intent, lists);
      if (landing.outcome === 'landed') {
        if (await restoreSubmission(db, landing, { outbox, clock })) landed.push(intent.id);
      } else if (isOver(intent, witnesses, lists, rpcs, clock.now())) expired.push(intent);
    }
  }
  if (landed.length > 0) onStatusChanged(landed);
  const ends = expired.map(({ id }) => ({ intentId: id, status: 'expired' as const }));
  const known = new Map(expired.map((row) => [row.id, { row, traceparent: null }]));
  const ended = ends.length === 0 ? 0 : await endIntents(context, ends, known);
  return { landed, expired: ended, held: intents.length - landed.length - expired.length };
}

/** Positions and lifetimes are read before the lists, which must be at least as new. */
async function callWitnesses(
  { rpcs, clock }: ConfirmContext,
  intents: readonly IntentRow[],
): Promise<Witness[]> {
  const untimed = intents.flatMap(untimedIntent);
  const read = await Promise.all(
    rpcs.map(async (rpc) => {
      const position = await readPosition(rpc, TIMEOUT_MS, clock);
      return {
        rpc,
        position: position.ok ? position.value : null,
        lifetimes: await readLifetimes(rpc, untimed, clock.now()),
      };
    }),
  );
  const now = clock.now();
  return read.map((witness) => ({
    ...witness,
    position: witness.position && believedPosition(witness.rpc, witness.position, rpcs, now),
  }));
}

function untimedIntent({
  id,
  createdAt,
  lastValidBlockHeight,
  preparedTransaction,
}: IntentRow): UntimedIntent[] {
  if (lastValidBlockHeight !== null) return [];
  const view = readTransaction(preparedTransaction);
  return view === null ? [] : [{ intentId: id, createdAt, lifetime: lifetimeOf(preparedTransaction, view) }];
}

/** From a state as new as everything that the node has reported, back to the oldest of the intents. */
function rangeOf({ rpc, position, lifetimes }: Witness, intents: readonly IntentRow[], now: Date) {
  const minContextSlot = contextOf(position, [...lifetimes.values()]);
  const oldestMs = Math.min(...intents.map(({ createdAt }) => createdAt.getTime()));
  // The clock that dated the intent may be a window behind.
  const slots = mostIn(now.getTime() - oldestMs, fastestOf(rpc.positions.bounds)) + WINDOW_BLOCKS;
  const sinceSlot = position === null || position.slot < slots ? 0n : position.slot - slots;
  return { sinceSlot, minContextSlot };
}

function contextOf(position: ChainPosition | null, lifetimes: readonly LifetimeReading[]): bigint {
  let newest = position?.slot ?? 0n;
  for (const { contextSlot } of lifetimes) if (contextSlot > newest) newest = contextSlot;
  return newest;
}

/** The rule by which a submitted intent ends, with a complete list in place of a look-up that found nothing. */
function isOver(
  intent: IntentRow,
  witnesses: readonly Witness[],
  lists: readonly WalletList[],
  rpcs: readonly ChainRpc[],
  now: Date,
): boolean {
  const needed = proofsNeeded(rpcs, now);
  const complete = lists.filter(({ isComplete, rpc }) => isComplete && !rpc.quarantine.isActive);
  const isAbandoned = intent.expiresAt.getTime() + UNUSED_NONCE_MS <= now.getTime();
  if (intent.lastValidBlockHeight === null && isAbandoned && complete.length >= needed) return true;
  const nodes = witnesses.map(({ position, lifetimes }, at): NodeView => {
    const list = lists[at];
    const contextSlot = contextOf(position, [...lifetimes.values()]);
    return {
      position,
      lifetime: lifetimes.get(intent.id) ?? null,
      lookup: list !== undefined && complete.includes(list) ? { contextSlot, status: null } : null,
    };
  });
  const facts = { ...intent, wasAccepted: false, mayHaveBeenTaken: true, hasSignatureMismatch: false };
  return decideOutcome(facts, nodes, needed, now, paceOf(rpcs).fastestPerSecond)?.status === 'failed';
}
