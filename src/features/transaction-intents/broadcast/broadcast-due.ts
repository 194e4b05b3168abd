import type { SendOutcome, SendResult } from '../../../chain/node-trust/judge-send.ts';
import { sendTransaction } from '../../../chain/rpc/send-transaction.ts';
import type { ChainRpc } from '../../../chain/rpc.ts';
import type { Logger } from '../../../shared/log.ts';
import type { Tracing } from '../../../shared/tracing/tracing.ts';
import { finishIntents, type IntentContext } from '../finish-intents.ts';
import { policyViolation } from '../policy.ts';
import { transactionId } from '../transaction-id.ts';
import {
  claimBroadcasts,
  type DueBroadcast,
  recordAcceptance,
  recordSignatureMismatch,
  uncountSend,
} from './claim-broadcasts.ts';

export interface BroadcastContext extends IntentContext {
  rpcs: readonly ChainRpc[];
  log: Logger;
  /** Called as each send begins: with the time since the submission for a first one, null for a repeated one. */
  onSend?(sinceSubmissionMs: number | null): void;
  /** Called with the result of each send. */
  onResponse?(result: SendResult): void;
  tracing?: Tracing | undefined;
}

/**
 * Claims due transactions, up to `limit`, and starts sending each to every node in parallel, the identical bytes each
 * time (contract/intents#broadcast). Returns how many were due; `sent` settles when all nodes have responded or timed out, and rejects when
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

/** True when a node has it. Ends the intent only where it must not be sent: policy broken, bytes unreadable. */
async function broadcastOne(context: BroadcastContext, broadcast: DueBroadcast): Promise<boolean> {
  const { db, log, rpcs } = context;
  const { intentId, signedTransaction, policy } = broadcast;
  const signature = transactionId(signedTransaction);
  const violation = signature === null ? 'unreadable' : policyViolation(signedTransaction, policy);
  if (signature === null || violation !== null) {
    log.error({ intentId, violation }, 'broadcast.refused');
    await refuse(context, intentId);
    return false;
  }
  const { isFirst, submittedAt } = broadcast;
  context.onSend?.(isFirst ? context.clock.now().getTime() - submittedAt.getTime() : null);
  let isAcceptanceKnown = broadcast.transactionSignature !== null;
  const outcomes = await Promise.all(
    rpcs.map(async (rpc) => {
      const outcome = await sendTransaction(rpc, { signedTransaction, signature }, context);
      context.onResponse?.(outcome.result);
      // Stored as soon as one node has it: another that hangs does not keep the client from knowing.
      if (isAccepted(outcome) && !isAcceptanceKnown) {
        isAcceptanceKnown = true;
        log.info({ intentId, signature, node: rpc.name }, 'broadcast.accepted');
        await recordAcceptance(db, intentId, signature);
      }
      return outcome;
    }),
  );
  if (outcomes.some(({ result }) => result === 'other_signature'))
    await recordSignatureMismatch(db, intentId);
  const accepted = outcomes.some(isAccepted);
  if (!accepted) {
    log.warn({ intentId, responses: responsesOf(rpcs, outcomes) }, 'broadcast.not_accepted');
    if (outcomes.every(({ result }) => result === 'unavailable')) await uncountSend(db, intentId);
  }
  return accepted;
}

async function refuse(context: BroadcastContext, intentId: string): Promise<void> {
  const errorCode = 'transaction_intent_invalid_state';
  await finishIntents(context, [{ intentId, status: 'failed', errorCode, transactionSignature: null }]);
}

/** A transaction that landed already is what was wanted (contract/intents#broadcast). */
function isAccepted({ result }: SendOutcome): boolean {
  return result === 'accepted' || result === 'already_processed';
}

function responsesOf(rpcs: readonly ChainRpc[], outcomes: readonly SendOutcome[]): string[] {
  return outcomes.map(({ result, message }, at) => `${rpcs[at]?.name} ${result}: ${message}`);
}
