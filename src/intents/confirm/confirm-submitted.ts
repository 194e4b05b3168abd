import { believedPosition, proofsNeeded, readPosition } from '../../chain/node-trust/believed-position.ts';
import { paceOf } from '../../chain/pace/measured-pace.ts';
import { getSignatureStatuses, STATUSES_MAX } from '../../chain/rpc/transaction-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { lifetimeOf } from '../../chain/transaction-lifetime.ts';
import { readTransaction } from '../../chain/transaction-reader.ts';
import { transactionId } from '../../chain/transactions/transaction-id.ts';
import type { Database } from '../../db/client.ts';
import { endIntents, type IntentContext, type IntentEnd } from '../end/end-intents.ts';
import { HistoryTurns } from './history-turns.ts';
import { failedEnd, LandedReports, landedEnd, type SignedIntent } from './landed-reports.ts';
import { type AwaitedIntent, BEFORE_ALL_IDS, listAwaitedIntents } from './list-awaited-intents.ts';
import type { NodeLane } from './node-lane.ts';
import {
  decideOutcome,
  type IntentOutcome,
  mayBeExpired,
  type NodeView,
  type SubmissionFacts,
} from './outcome.ts';
import { readLifetimes, type UntimedIntent } from './read-lifetimes.ts';
import { SilentNodes } from './silent-nodes.ts';
import { UntimedTurns } from './untimed-turns.ts';

const TIMEOUT_MS = 2_000;
/** Batches of 256 intents that are in memory at the same time, while nodes respond. */
const BATCHES_AT_ONCE = 8;

export interface ConfirmContext extends IntentContext {
  rpcs: readonly ChainRpc[];
}

type Awaited = AwaitedIntent & SignedIntent;

/** State that one round of polls leaves to the next. */
export class PollMemory {
  readonly untimed = new UntimedTurns();
  readonly history = new HistoryTurns();
  readonly silent = new SilentNodes();
}

/**
 * One round over all submitted intents: asks every node in batches of 256, ends the intents that landed, and
 * judges expiry for those that no node has seen. One page of intents that may stay open for long comes last.
 * Returns the number of checked intents that are still waiting.
 * @param memory of earlier rounds
 */
export async function confirmSubmitted(
  context: ConfirmContext,
  { untimed, history, silent }: PollMemory = new PollMemory(),
): Promise<number> {
  const { db, rpcs, clock } = context;
  const lanes = silent.lanesOf(rpcs, (rpc) => readPosition(rpc, TIMEOUT_MS, clock));
  const now = clock.now();
  const batches = batchesOf(db, now);
  const oldBefore = history.next(now, paceOf(rpcs).slotMs);
  // A hanging node delays a batch by its timeout; the other nodes continue with the next batch.
  const walk = async () => {
    let waiting = 0;
    for await (const intents of batches) waiting += await confirmBatch(context, lanes, intents, oldBefore);
    return waiting;
  };
  const counts = await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, walk));
  counts.push(await confirmBatch(context, lanes, await untimed.next(db, now), null));
  silent.note(lanes);
  return counts.reduce((sum, count) => sum + count, 0);
}

async function* batchesOf(db: Database, now: Date): AsyncGenerator<AwaitedIntent[], void> {
  for (let afterId = BEFORE_ALL_IDS; ; ) {
    const intents = await listAwaitedIntents(db, now, afterId, STATUSES_MAX);
    const last = intents.at(-1);
    if (last === undefined) return;
    afterId = last.intentId;
    yield intents;
    if (intents.length < STATUSES_MAX) return;
  }
}

async function confirmBatch(
  context: ConfirmContext,
  lanes: readonly NodeLane[],
  intents: readonly AwaitedIntent[],
  oldBefore: Date | null,
): Promise<number> {
  if (intents.length === 0) return 0;
  const { rpcs, clock } = context;
  const { awaited, unreadable } = identify(intents);
  let ended = await endIntents(context, unreadable);
  const reports = new LandedReports(awaited);
  const readings = await Promise.all(
    lanes.map(async (lane) => {
      const said = await lane.inTurn(async (rpc) => {
        const [position, statuses] = await Promise.all([
          readPosition(rpc, TIMEOUT_MS, clock),
          statusesOf(rpc, awaited, false),
        ]);
        return { position: lane.heard(position), statuses: lane.heard(statuses) };
      });
      const ends = reports.take(said?.statuses?.statuses ?? [], proofsNeeded(rpcs, clock.now()));
      ended += await endIntents(context, ends);
      return said?.position ?? null;
    }),
  );
  if (oldBefore !== null) ended += await endOfOld(context, lanes, reports.unsettled, oldBefore);
  const overdue = await overdueEnds(context, lanes, reports.unsettled, readings);
  ended += await endIntents(context, overdue);
  return intents.length - ended;
}

/**
 * Ends the intents that landed before the recent statuses of nodes begin, and returns their number. That a
 * look-up with history finds nothing proves nothing here.
 */
async function endOfOld(
  context: ConfirmContext,
  lanes: readonly NodeLane[],
  unsettled: readonly Awaited[],
  before: Date,
): Promise<number> {
  const old = unsettled.filter(({ queuedAt }) => queuedAt < before);
  if (old.length === 0) return 0;
  const reports = new LandedReports(old);
  const ended = await Promise.all(
    lanes.map(async (lane) => {
      const found = await lane.inTurn(async (rpc) => lane.heard(await statusesOf(rpc, old, true)));
      const ends = reports.take(found?.statuses ?? [], proofsNeeded(context.rpcs, context.clock.now()));
      return endIntents(context, ends);
    }),
  );
  return ended.reduce((sum, count) => sum + count, 0);
}

/** Separates intents whose stored bytes hold no transaction id: they can be neither looked up nor sent. */
function identify(intents: readonly AwaitedIntent[]): { awaited: Awaited[]; unreadable: IntentEnd[] } {
  const awaited: Awaited[] = [];
  const unreadable: IntentEnd[] = [];
  for (const intent of intents) {
    const signature = intent.transactionSignature ?? transactionId(intent.signedTransaction ?? EMPTY);
    if (signature !== null) awaited.push({ ...intent, signature });
    else unreadable.push(failedEnd(intent.intentId, 'transaction_intent_invalid_state', null));
  }
  return { awaited, unreadable };
}

const EMPTY = new Uint8Array(0);

/**
 * Decides about the intents that have not landed, by the reports of nodes: first the heights, then a last
 * look-up with history, which also finds a transaction that landed long ago, for example during an outage.
 */
async function overdueEnds(
  { rpcs, clock }: ConfirmContext,
  lanes: readonly NodeLane[],
  unsettled: readonly Awaited[],
  readings: readonly NodeView['position'][],
): Promise<IntentEnd[]> {
  const now = clock.now();
  const positions = rpcs.map((rpc, at) => {
    const reading = readings[at] ?? null;
    return reading && believedPosition(rpc, reading, rpcs, now);
  });
  // A look-up does no harm, so any height is a reason for it, believed or not.
  const overdue = unsettled.filter((intent) =>
    readings.some((reading) => mayBeExpired(factsOf(intent), reading, now)),
  );
  if (overdue.length === 0) return [];
  const untimed = overdue.flatMap(untimedIntent);
  const lifetimes = await Promise.all(
    lanes.map((lane) => lane.inTurn((rpc) => readLifetimes(rpc, untimed, now))),
  );
  // While its lifetime is not over, a look-up with history proves nothing: a nonce may stay valid for years.
  const isOpen = ({ intentId }: UntimedIntent) =>
    !lifetimes.some((reported) => reported?.get(intentId)?.isOver);
  const open = new Set(
    readings.every((reading) => reading === null)
      ? []
      : untimed.filter(isOpen).map(({ intentId }) => intentId),
  );
  const suspects = overdue.filter(({ intentId }) => !open.has(intentId));
  if (suspects.length === 0) return [];
  const lookups = await Promise.all(
    lanes.map((lane) => lane.inTurn(async (rpc) => lane.heard(await statusesOf(rpc, suspects, true)))),
  );
  // Counted after the look-ups: a node that was found lying meanwhile does not count, nor does its look-up.
  const needed = proofsNeeded(rpcs, now);
  const counted = lookups.map((lookup, node) => (rpcs[node]?.quarantine.isActive ? null : lookup));
  const { fastestPerSecond } = paceOf(rpcs);
  return suspects.flatMap((intent, at) => {
    const nodes = counted.map((lookup, node) => ({
      position: positions[node] ?? null,
      lifetime: lifetimes[node]?.get(intent.intentId) ?? null,
      lookup: lookup && { contextSlot: lookup.contextSlot, status: lookup.statuses[at] ?? null },
    }));
    const outcome = decideOutcome(factsOf(intent), nodes, needed, now, fastestPerSecond);
    return outcome === null ? [] : [endOf(intent, outcome)];
  });
}

/** The lifetime of a transaction without a height: its blockhash or nonce. */
function untimedIntent({
  intentId,
  createdAt,
  lastValidBlockHeight,
  signedTransaction,
}: Awaited): UntimedIntent[] {
  const view = lastValidBlockHeight === null && signedTransaction && readTransaction(signedTransaction);
  return view ? [{ intentId, createdAt, lifetime: lifetimeOf(signedTransaction ?? EMPTY, view) }] : [];
}

function endOf(intent: Awaited, outcome: IntentOutcome): IntentEnd {
  if (outcome.status === 'confirmed') return landedEnd(intent, 'confirmed', outcome.slot, null);
  const { errorCode, failure, slot } = outcome;
  if (slot !== null) return landedEnd(intent, 'solana_transaction_failed', slot, failure);
  // Looked up as well: it was sent, although no node acknowledged it correctly.
  const signature = errorCode === 'solana_signature_mismatch' ? intent.signature : null;
  // Nodes prove the end of a transaction with a nonce by the nonce alone.
  const [untimed] = untimedIntent(intent);
  const spent =
    untimed?.lifetime.kind === 'nonce' ? { spentNonceAccount: untimed.lifetime.nonceAccount } : {};
  const end = { ...failedEnd(intent.intentId, errorCode, signature), ...spent };
  return factsOf(intent).mayHaveBeenTaken ? end : { ...end, onlyIfUnsent: true };
}

function factsOf(intent: Awaited): SubmissionFacts {
  const wasAccepted = intent.transactionSignature !== null;
  return {
    lastValidBlockHeight: intent.lastValidBlockHeight,
    createdAt: intent.createdAt,
    expiresAt: intent.expiresAt,
    wasAccepted,
    mayHaveBeenTaken: wasAccepted || intent.sendCount > 0,
    hasSignatureMismatch: intent.hasSignatureMismatch,
  };
}

function statusesOf(rpc: ChainRpc, intents: readonly Awaited[], searchHistory: boolean) {
  const signatures = intents.map((intent) => intent.signature);
  return getSignatureStatuses(rpc, signatures, { searchHistory, timeoutMs: TIMEOUT_MS });
}
