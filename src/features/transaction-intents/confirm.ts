import { getPosition, getSignatureStatuses, STATUSES_MAX } from '../../chain/calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { type AwaitedIntent, listAwaitedIntents } from './broadcast-store.ts';
import { finishIntents, type IntentContext, type IntentEnd } from './finish.ts';
import { transactionId } from './transaction-id.ts';
import { type ExpiryFacts, expiryVerdict, landedVerdict, mayBeExpired, type NodeView } from './verdict.ts';

const TIMEOUT_MS = 2_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export interface ConfirmContext extends IntentContext {
  rpcs: readonly ChainRpc[];
}

/** An awaited intent with its transaction's id. */
interface Awaited extends AwaitedIntent {
  signature: string;
}

/**
 * One round over all submitted intents: asks every node in batches of 256, ends what landed, and judges expiry for
 * what no node has seen. Returns how many intents are still waiting.
 */
export async function confirmSubmitted(context: ConfirmContext): Promise<number> {
  let waiting = 0;
  for (let afterId = FIRST_ID; ; ) {
    const intents = await listAwaitedIntents(context.db, afterId, STATUSES_MAX);
    const last = intents.at(-1);
    if (last === undefined) return waiting;
    afterId = last.intentId;
    waiting += await confirmBatch(context, intents);
    if (intents.length < STATUSES_MAX) return waiting;
  }
}

async function confirmBatch(context: ConfirmContext, intents: readonly AwaitedIntent[]): Promise<number> {
  const { awaited, unreadable } = identify(intents);
  let ended = await finishIntents(context, unreadable);
  const unsettled = new Map(awaited.map((intent) => [intent.intentId, intent]));
  const unseen = new Map(unsettled);
  // Each node's answer is used as it comes: a hanging node does not hold up the others' news.
  const positions = await Promise.all(
    context.rpcs.map(async (rpc) => {
      const [position, statuses] = await Promise.all([
        getPosition(rpc, TIMEOUT_MS),
        statusesOf(rpc, awaited, false),
      ]);
      const ends = awaited.flatMap((intent, at) => {
        const status = statuses?.statuses[at] ?? null;
        if (status !== null) unseen.delete(intent.intentId);
        const verdict = landedVerdict(status);
        return verdict !== null && unsettled.delete(intent.intentId) ? [landedEnd(intent, verdict)] : [];
      });
      ended += await finishIntents(context, ends);
      return position.ok ? position.value : null;
    }),
  );
  ended += await finishIntents(context, await overdueEnds(context, [...unseen.values()], positions));
  return intents.length - ended;
}

/** Intents whose stored bytes hold no transaction id can be neither looked up nor sent. */
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
 * Judges the intents that no node has a recent status for: heights first, then the last look-up with history, which
 * finds what landed long ago (after an outage, say) or nothing (contract/intents#never-expired-if-landed).
 */
async function overdueEnds(
  { rpcs, clock }: ConfirmContext,
  unseen: readonly Awaited[],
  positions: readonly NodeView['position'][],
): Promise<IntentEnd[]> {
  const now = clock.now();
  const suspects = unseen.filter((intent) =>
    positions.some((position) => mayBeExpired(factsOf(intent, now), position)),
  );
  if (suspects.length === 0) return [];
  const lookups = await Promise.all(rpcs.map((rpc) => statusesOf(rpc, suspects, true)));
  return suspects.flatMap((intent, at) => {
    const found = lookups.map((lookup) => lookup?.statuses[at] ?? null);
    const landed = found.map(landedVerdict).find((verdict) => verdict !== null);
    if (landed !== undefined) return [landedEnd(intent, landed)];
    const nodes = lookups.map((lookup, node) => ({
      position: positions[node] ?? null,
      lookup: lookup && { contextSlot: lookup.contextSlot, isKnown: found[node] !== null },
    }));
    const code = expiryVerdict(factsOf(intent, now), nodes);
    return code === null ? [] : [failedEnd(intent.intentId, code, null)];
  });
}

function factsOf(intent: Awaited, now: Date): ExpiryFacts {
  return {
    lastValidBlockHeight: intent.lastValidBlockHeight,
    isPastExpiry: intent.expiresAt <= now,
    wasAccepted: intent.transactionSignature !== null,
    mayHaveBeenTaken: intent.transactionSignature !== null || intent.sendCount > 0,
  };
}

/** A node's statuses, or null when it did not answer. */
async function statusesOf(rpc: ChainRpc, intents: readonly Awaited[], searchHistory: boolean) {
  const signatures = intents.map((intent) => intent.signature);
  const outcome = await getSignatureStatuses(rpc, signatures, { searchHistory, timeoutMs: TIMEOUT_MS });
  return outcome.ok ? outcome.value : null;
}

function landedEnd(
  { intentId, signature }: Awaited,
  verdict: 'confirmed' | 'solana_transaction_failed',
): IntentEnd {
  return verdict === 'confirmed'
    ? { intentId, status: 'confirmed', transactionSignature: signature }
    : failedEnd(intentId, verdict, signature);
}

function failedEnd(
  intentId: string,
  errorCode: Extract<IntentEnd, { status: 'failed' }>['errorCode'],
  transactionSignature: string | null,
): IntentEnd {
  return { intentId, status: 'failed', errorCode, transactionSignature };
}
