import { proofsNeeded } from '../../chain/node-trust/believed-position.ts';
import { paceOf } from '../../chain/pace/measured-pace.ts';
import { STATUSES_MAX } from '../../chain/rpc/transaction-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { transactionId } from '../../chain/transactions/transaction-id.ts';
import type { EventName } from '../../shared/events/catalogue.ts';
import type { Logger } from '../../shared/log.ts';
import type { IntentContext } from '../end/end-intents.ts';
import { toIntentEvent } from '../row.ts';
import { claimLandings, FACTS_AWAITED_SECONDS, type FollowedIntent } from './claim-landings.ts';
import { expectFinal } from './expected-finality.ts';
import { type FinalityReport, type FinalityVerdict, judgeFinality } from './judge-finality.ts';
import { type Finality, type Landing, toLanding } from './landing.ts';
import { type FactBudget, FactReader } from './read-facts.ts';
import { readFinality } from './read-finality.ts';
import { type ChangedLanding, storeLandings } from './store-landings.ts';

/** Landings of one step: one request asks for their statuses. */
export const LANDINGS_MAX = STATUSES_MAX;
/** So long after a landing only its facts are of interest, unless its block is final already. */
const YOUNG_MS = 2_000;
/** Transactions that are read at the same time, each some kilobytes. */
const READS_MAX = 8;
/** A node shows a transaction a moment after its status: within this time of the landing one step tries again. */
const FRESH_MS = 400;
/** Its pauses before it does. */
const PAUSES_MS = [100, 200];

export interface FollowContext extends Omit<IntentContext, 'onIntentsEnded'> {
  rpcs: readonly ChainRpc[];
  /** If it is absent, facts are read as soon as they are due. */
  factBudget?: FactBudget;
  log: Logger;
  /** Called after a commit, once for each landing that was found final or dropped; for metrics. */
  onLandingSettled?(finality: Finality): void;
}

/** The events of a finality that has been reached; none for a transaction that landed again. */
const settledEvents: Readonly<Record<Finality, EventName | null>> = {
  confirmed: null,
  finalized: 'transaction_intent.finalized',
  reverted: 'transaction_intent.reverted',
};

/**
 * Looks at the landings that are due: reads facts that are missing, and asks every node where the transactions
 * are now (contract/intents#finality). True when there may be more. A step that dies leaves nothing half done,
 * and its landings are due again.
 */
export async function followLandings(context: FollowContext, limit = LANDINGS_MAX): Promise<boolean> {
  const { db, clock, rpcs } = context;
  const intents = await claimLandings(db, clock.now(), limit);
  if (intents.length === 0) return false;
  const followed = intents.flatMap((intent) => {
    const signature = transactionId(intent.signedTransaction);
    return signature === null ? [] : [{ intent, signature, slot: intent.slot }];
  });
  const isYoung = followed.every(({ intent }) => isJustLanded(intent, clock.now(), YOUNG_MS));
  const answers = await Promise.all(rpcs.map((rpc) => readFinality(rpc, followed, isYoung)));
  // A node that was found lying while others were awaited decides nothing.
  const read = answers.filter((_answer, node) => !rpcs[node]?.quarantine.isActive);
  const needed = proofsNeeded(rpcs, clock.now());
  const finalizedSlots = read.flatMap((ofNode) => ofNode?.finalizedSlot ?? []);
  const pace = paceOf(rpcs);
  const reader = new FactReader(rpcs, context.factBudget);
  let looks: Look[] = followed.map(({ intent }, at) => {
    const said = read.flatMap((ofNode) => ofNode?.reports[at] ?? []);
    return { intent, said, needed, reader };
  });
  for (const pauseMs of [0, ...PAUSES_MS]) {
    if (pauseMs > 0) await Bun.sleep(pauseMs);
    const { changed, unchanged } = await lookAtAll(context, looks);
    const changes = changed.map(([{ intent }, landing]) => {
      const finalAt = expectFinal(landing.slot, finalizedSlots, needed, pace, clock.now());
      return { ...changeOf(context, intent, landing), finalAt };
    });
    if (changes.length > 0) await store(context, changes);
    looks = unchanged.filter(({ intent }) => isJustLanded(intent, clock.now(), FRESH_MS));
    if (looks.length === 0) break;
  }
  return intents.length === limit;
}

/** Looks at each, some at a time. */
async function lookAtAll(
  context: FollowContext,
  looks: readonly Look[],
): Promise<{ changed: [Look, Landing][]; unchanged: Look[] }> {
  const changed: [Look, Landing][] = [];
  const unchanged: Look[] = [];
  const queue = looks.values();
  const work = async () => {
    for (const look of queue) {
      const landing = await lookAgain(context, look);
      if (landing === null) unchanged.push(look);
      else changed.push([look, landing]);
    }
  };
  await Promise.all(Array.from({ length: READS_MAX }, work));
  return { changed, unchanged };
}

/** Nothing is known of it but its status, and it landed within this time. */
function isJustLanded(intent: FollowedIntent, now: Date, withinMs: number): boolean {
  return intent.finality === 'confirmed' && intent.succeeded === null && ageMs(intent, now) < withinMs;
}

function ageMs({ landedAt }: FollowedIntent, now: Date): number {
  return now.getTime() - landedAt.getTime();
}

interface Look {
  intent: FollowedIntent;
  said: readonly FinalityReport[];
  needed: number;
  reader: FactReader;
}

/** The landing as it is now; null when nothing has changed. */
async function lookAgain({ log, clock }: FollowContext, look: Look): Promise<Landing | null> {
  const { intent, said, needed, reader } = look;
  const before = toLanding(intent);
  if (before === null) return null;
  const verdict = judgeFinality(before, said, needed);
  if (verdict?.finality === 'reverted') {
    log.warn({ intentId: intent.id, slot: String(before.slot) }, 'intent.reverted');
    return { ...before, finality: 'reverted' };
  }
  const now = placeOf(before, verdict);
  const isNew = now.finality !== before.finality || now.slot !== before.slot;
  if (now.finality === 'reverted' || (!isNew && before.facts !== null)) return null;
  const isFinal = now.finality === 'finalized';
  // With one node that counts, what it said of this block before is all there is to compare.
  const isKnown = before.facts !== null && now.slot === before.slot && (needed === 1 || !isFinal);
  const read = isKnown ? before.facts : await reader.read(intent, now.slot, isFinal ? needed : 1);
  // Facts of one node stay what they are, and the block only confirmed, until they can be compared.
  if (read === 'no_turn' && before.facts !== null) return null;
  if (read === 'disputed') log.warn({ intentId: intent.id, slot: String(now.slot) }, 'intent.facts_disputed');
  const kept = now.slot === before.slot ? before.facts : null;
  const facts = read === 'disputed' || read === 'no_turn' ? null : (read ?? kept);
  // That a block is final is announced with what the transaction did, as long as nodes may still get it.
  if (isFinal && facts === null && ageMs(intent, clock.now()) < FACTS_AWAITED_SECONDS * 1_000) return null;
  return isNew || facts !== null ? { ...now, facts } : null;
}

function placeOf(before: Landing, verdict: FinalityVerdict | null): Pick<Landing, 'slot' | 'finality'> {
  if (verdict === null || verdict.slot === null) return { slot: before.slot, finality: before.finality };
  return { slot: verdict.slot, finality: verdict.finality };
}

function changeOf(
  { outbox, clock }: FollowContext,
  intent: FollowedIntent,
  landing: Landing,
): Omit<ChangedLanding, 'finalAt'> {
  const { id, accountId, version } = intent;
  const name = landing.finality === intent.finality ? null : settledEvents[landing.finality];
  const row = { ...intent, version: version + 1 };
  const data = name && toIntentEvent(row, landing);
  const event = name && outbox.compose({ name, subject: id, accountId, data, time: clock.now() });
  return { intentId: id, version, landing, event };
}

async function store(context: FollowContext, changes: readonly ChangedLanding[]): Promise<void> {
  const { db, clock, outbox, onStatusChanged, onLandingSettled } = context;
  const stored = await storeLandings(db, changes, clock.now());
  if (stored.size === 0) return;
  const settled = changes.flatMap(({ intentId, landing, event }) =>
    event !== null && stored.has(intentId) ? [{ landing, event }] : [],
  );
  const [first] = settled;
  if (first !== undefined) outbox.hint(first.event);
  onStatusChanged([...stored]);
  for (const { landing } of settled) onLandingSettled?.(landing.finality);
}
