import { sendTransaction } from '../../chain/calls.ts';
import type { ChainRpc, RpcOutcome } from '../../chain/rpc.ts';
import type { IntentPolicy } from '../../db/schema/transaction-intents.ts';
import type { Logger } from '../../shared/log.ts';
import type { Tracing } from '../../shared/tracing/tracing.ts';
import {
  claimBroadcasts,
  type DueBroadcast,
  recordAcceptance,
  recordUncertainSend,
} from './broadcast-store.ts';
import { finishIntents, type IntentContext } from './finish.ts';
import { transactionId } from './transaction-id.ts';

const SEND_TIMEOUT_MS = 3_000;

/** Says why signed bytes break the policy of their intent, or null. Pure. */
export type CheckPolicy = (signedTransaction: Uint8Array, policy: IntentPolicy) => string | null;

export interface BroadcastContext extends IntentContext {
  rpcs: readonly ChainRpc[];
  log: Logger;
  checkPolicy: CheckPolicy;
  /** Told of each send as it begins: the time since the acceptance of a first one, null for a repeated one. */
  onSend?(sinceSubmissionMs: number | null): void;
  tracing?: Tracing | undefined;
}

/**
 * Claims due transactions, up to `limit`, and starts sending each to every node in parallel, the identical bytes each
 * time (contract/intents#broadcast). Returns how many were due; `sent` settles when all nodes have answered or timed out, and rejects when
 * a result could not be stored: the transaction is due again anyway.
 */
export async function broadcastDue(
  context: BroadcastContext,
  limit: number,
): Promise<{ due: number; sent: Promise<void> }> {
  const due = await claimBroadcasts(context.db, context.clock.now(), limit);
  const sent = Promise.all(due.map((broadcast) => broadcastTraced(context, broadcast)));
  return { due: due.length, sent: sent.then(() => {}) };
}

/** One send to every node, as a span of the submission's trace. */
async function broadcastTraced(context: BroadcastContext, broadcast: DueBroadcast): Promise<void> {
  const { tracing, rpcs } = context;
  const child = tracing?.childOf(broadcast.traceparent) ?? null;
  if (tracing === undefined || child === null) return void (await broadcastOne(context, broadcast));
  const startedAtMs = performance.now();
  let accepted = false;
  try {
    accepted = await broadcastOne(context, broadcast);
  } finally {
    tracing.record({
      ...child,
      name: 'broadcast intent',
      kind: 'internal',
      startedAtMs,
      attributes: {
        'launchwire.intent.id': broadcast.intentId,
        'launchwire.broadcast.first': broadcast.isFirst,
        'launchwire.broadcast.nodes': rpcs.length,
      },
      failed: !accepted,
    });
  }
}

/**
 * True when a node has it. Ends the intent only where sending can never succeed: policy broken, bytes unreadable,
 * another signature told.
 */
async function broadcastOne(context: BroadcastContext, broadcast: DueBroadcast): Promise<boolean> {
  const { db, log, rpcs, checkPolicy } = context;
  const { intentId, signedTransaction, policy } = broadcast;
  const signature = transactionId(signedTransaction);
  const violation = signature === null ? 'unreadable' : checkPolicy(signedTransaction, policy);
  if (signature === null || violation !== null) {
    log.error({ intentId, violation }, 'broadcast.refused');
    await fail(context, intentId, 'transaction_intent_invalid_state', null);
    return false;
  }
  const { isFirst, submittedAt } = broadcast;
  context.onSend?.(isFirst ? context.clock.now().getTime() - submittedAt.getTime() : null);
  let isAcceptanceKnown = broadcast.transactionSignature !== null;
  const outcomes = await Promise.all(
    rpcs.map(async (rpc) => {
      const outcome = await sendTransaction(rpc, signedTransaction, SEND_TIMEOUT_MS);
      // Stored as soon as one node has it: another that hangs does not keep the client from knowing.
      if (isAccepted(outcome) && !isAcceptanceKnown) {
        isAcceptanceKnown = true;
        log.info({ intentId, signature, node: rpc.name }, 'broadcast.accepted');
        await recordAcceptance(db, intentId, signature);
      }
      return outcome;
    }),
  );
  if (outcomes.some((one) => one.ok && one.value !== signature)) {
    log.error({ intentId, signature }, 'broadcast.signature_mismatch');
    await fail(context, intentId, 'solana_signature_mismatch', signature);
    return false;
  }
  const accepted = outcomes.some(isAccepted);
  if (!accepted) {
    log.warn({ intentId, refusals: refusalsOf(rpcs, outcomes) }, 'broadcast.not_accepted');
    if (!isAcceptanceKnown && outcomes.some(mayHaveBeenTaken)) await recordUncertainSend(db, intentId);
  }
  return accepted;
}

async function fail(
  context: BroadcastContext,
  intentId: string,
  errorCode: 'transaction_intent_invalid_state' | 'solana_signature_mismatch',
  transactionSignature: string | null,
): Promise<void> {
  await finishIntents(context, [{ intentId, status: 'failed', errorCode, transactionSignature }]);
}

/** A transaction that landed already is what was wanted (contract/intents#broadcast). */
function isAccepted(outcome: RpcOutcome<string>): boolean {
  return outcome.ok || outcome.failure.kind === 'already_processed';
}

function mayHaveBeenTaken(outcome: RpcOutcome<string>): boolean {
  return !outcome.ok && outcome.failure.kind === 'unknown';
}

function refusalsOf(rpcs: readonly ChainRpc[], outcomes: readonly RpcOutcome<string>[]): string[] {
  return outcomes.flatMap((one, at) =>
    one.ok ? [] : [`${rpcs[at]?.name} ${one.failure.kind}: ${one.failure.message}`],
  );
}
