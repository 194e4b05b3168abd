import type { SendResult } from '../../chain/node-trust/judge-send.ts';
import { paceOf } from '../../chain/pace/measured-pace.ts';
import type { SendTarget } from '../../chain/rpc/send-target.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { transactionId } from '../../chain/transactions/transaction-id.ts';
import type { Logger } from '../../shared/log.ts';
import type { Tracing } from '../../shared/tracing/tracing.ts';
import { endIntents, type IntentContext } from '../end/end-intents.ts';
import { policyViolation } from '../policy.ts';
import {
  claimBroadcasts,
  type DueBroadcast,
  recordAcceptance,
  recordSignatureMismatch,
  uncountSend,
} from './claim-broadcasts.ts';
import { addressesOf } from './hold-out.ts';
import { type RouteTargets, routeTargets } from './route-targets.ts';
import type { SendRecorder } from './send-recorder.ts';
import { sendToNodes } from './send-to-nodes.ts';
import { traceBroadcast } from './trace-broadcast.ts';

export interface BroadcastContext extends IntentContext {
  rpcs: readonly ChainRpc[];
  /** Addresses that only take transactions and answer no reads. */
  sendOnly?: readonly SendTarget[];
  /** Share of the intents that one drawn address does not get (`SEND_HOLDOUT_PERCENT`). */
  holdOutPercent: number;
  recorder: SendRecorder;
  log: Logger;
  /**
   * Called as each send begins: with the time since the submission when the api did not send it, with null
   * for a repeated send.
   */
  onSend?(sinceSubmissionMs: number | null): void;
  /** Called with the result of each send and the name of its address. */
  onResponse?(result: SendResult, address: string): void;
  tracing?: Tracing | undefined;
}

/**
 * Claims up to `limit` due transactions and starts sending each to every address of its route in parallel, with
 * identical bytes each time (contract/intents#broadcast). Returns the number of due transactions. `sent` settles when
 * all addresses have responded or timed out, and rejects when a result could not be stored; the transaction
 * is due again anyway.
 */
export async function broadcastDue(
  context: BroadcastContext,
  limit: number,
): Promise<{ due: number; sent: Promise<void> }> {
  const due = await claimBroadcasts(context.db, context.clock.now(), paceOf(context.rpcs), limit);
  const targets = routeTargets([...context.rpcs, ...(context.sendOnly ?? [])]);
  const sent = Promise.all(due.map((broadcast) => broadcastOne(context, broadcast, targets)));
  return { due: due.length, sent: sent.then(() => {}) };
}

/** One send to every address of the route, as a span of the submission's trace. */
function broadcastOne(
  context: BroadcastContext,
  broadcast: DueBroadcast,
  { [broadcast.sendRoute]: targets }: RouteTargets,
): Promise<boolean> {
  const addresses = addressesOf(broadcast.intentId, { targets, holdOutPercent: context.holdOutPercent });
  return traceBroadcast(context.tracing, broadcast, addresses.targets.length, () =>
    broadcastTo(addresses, context, broadcast),
  );
}

/**
 * True when a node has the transaction. Ends the intent only when it must not be sent, because its policy is
 * broken or its bytes are unreadable.
 */
async function broadcastTo(
  { targets, heldOut }: ReturnType<typeof addressesOf>,
  context: BroadcastContext,
  broadcast: DueBroadcast,
): Promise<boolean> {
  const { db, log, recorder } = context;
  const { intentId, signedTransaction, policy } = broadcast;
  const signature = transactionId(signedTransaction);
  const violation = signature === null ? 'unreadable' : policyViolation(signedTransaction, policy);
  if (signature === null || violation !== null) {
    log.error({ intentId, violation }, 'broadcast.refused');
    await refuse(context, intentId);
    return false;
  }
  const { isFirst, submittedAt } = broadcast;
  const sentAt = context.clock.now();
  context.onSend?.(isFirst ? sentAt.getTime() - submittedAt.getTime() : null);
  const slot = recorder.currentSlot();
  const result = await sendToNodes(targets, { signedTransaction, signature }, context, {
    onAccepted: async (node) => {
      if (broadcast.transactionSignature !== null) return;
      log.info({ intentId, signature, node }, 'broadcast.accepted');
      await recordAcceptance(db, intentId, signature);
    },
    onAllAnswered: (answers) => recorder.record({ intentId, sentAt, slot, answers, heldOut }),
  });
  if (result.isMisanswered) await recordSignatureMismatch(db, intentId);
  if (!result.isAccepted) {
    log.warn({ intentId, responses: result.responses }, 'broadcast.not_accepted');
    // An intent with a signature counts as sent whatever its count, and the claim's count may be lost with
    // the database.
    if (result.isUnsent && broadcast.transactionSignature === null) await uncountSend(db, intentId);
  }
  return result.isAccepted;
}

async function refuse(context: BroadcastContext, intentId: string): Promise<void> {
  const errorCode = 'transaction_intent_invalid_state';
  await endIntents(context, [{ intentId, status: 'failed', errorCode, transactionSignature: null }]);
}
