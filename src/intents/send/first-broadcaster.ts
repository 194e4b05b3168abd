import type { SendTarget } from '../../chain/rpc/send-target.ts';
import { readTransaction } from '../../chain/transaction-reader.ts';
import { firstSignature, UnnamedSend } from '../../chain/transactions/transaction-id.ts';
import type { Database } from '../../db/client.ts';
import type { Tracing } from '../../shared/tracing/tracing.ts';
import { policyViolation } from '../policy.ts';
import type { IntentRow } from '../row.ts';
import { recordSignatureMismatch } from './claim-broadcasts.ts';
import { addressesOf } from './hold-out.ts';
import { leaveToWorker } from './record-refused-send.ts';
import { type RouteTargets, routeTargets } from './route-targets.ts';
import type { SendRecorder } from './send-recorder.ts';
import { type NodeSendDependencies, sendToNodes } from './send-to-nodes.ts';
import { traceBroadcast } from './trace-broadcast.ts';

/** A submission that has just been committed. */
export interface FirstSend {
  submitted: Pick<IntentRow, 'id' | 'policy' | 'sendRoute' | 'signedTransaction' | 'submittedAt'>;
  /** W3C trace context of the submission; null without tracing. */
  traceparent: string | null;
}

export interface FirstBroadcasterDependencies extends NodeSendDependencies {
  database: Database;
  /** Every address that takes transactions. */
  targets: readonly SendTarget[];
  /** Share of the intents that one drawn address does not get (`SEND_HOLDOUT_PERCENT`). */
  holdOutPercent: number;
  recorder: SendRecorder;
  /** Called as each send begins, with the time since the submission. */
  onSend?: ((sinceSubmissionMs: number) => void) | undefined;
  /** Called for each submission that the worker has to send. */
  onLeft?: (() => void) | undefined;
  /** Called when a job has become due. */
  onDue(): void;
  tracing?: Tracing | undefined;
}

/** Sends in memory, each of at most about 4 KiB. The worker sends any further submissions. */
const OUTSTANDING_MAX = 4_096;

/**
 * Sends submissions to every address of their route as soon as they are committed
 * (contract/intents#first-send). The durable job stays and is due at the usual resend. So the worker sends
 * what this process did not: because it was killed, had no room, or found no node.
 */
export class FirstBroadcaster {
  readonly #dependencies: FirstBroadcasterDependencies;
  readonly #targets: RouteTargets;
  #outstanding = 0;
  /** Resolves when nothing is outstanding; set only while somebody waits for that. */
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(dependencies: FirstBroadcasterDependencies) {
    this.#dependencies = dependencies;
    this.#targets = routeTargets(dependencies.targets);
  }

  /** Number of sends that wait for a response or for their record. */
  get outstanding(): number {
    return this.#outstanding;
  }

  /** Starts a send. Never throws and waits for nothing. */
  send(first: FirstSend): void {
    if (this.#outstanding >= OUTSTANDING_MAX) {
      this.#dependencies.onLeft?.();
      return;
    }
    this.#outstanding += 1;
    void this.#sendTraced(first);
  }

  /**
   * Waits for the outstanding sends: at most until the slowest address times out and the last record is
   * written.
   */
  async drain(): Promise<void> {
    while (this.#outstanding > 0) {
      this.#drained ??= Promise.withResolvers();
      this.#dependencies.recorder.flush();
      await this.#drained.promise;
    }
  }

  /** Records do not wait for more of them while somebody waits for the last one. */
  #recorded(record: Promise<void>): Promise<void> {
    if (this.#drained !== undefined) this.#dependencies.recorder.flush();
    return record;
  }

  /** Never rejects. */
  async #sendTraced({ submitted, traceparent }: FirstSend): Promise<void> {
    const { log, tracing } = this.#dependencies;
    const { id: intentId, sendRoute } = submitted;
    try {
      const facts = { intentId, isFirst: true, traceparent };
      await traceBroadcast(tracing, facts, this.#targets[sendRoute].length, () => this.#sendOne(submitted));
    } catch (err) {
      // Without a record the job becomes due, and the worker sends the same bytes again.
      log.error({ err, intentId }, 'broadcast.not_recorded');
    }
    this.#outstanding -= 1;
    if (this.#outstanding > 0) return;
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  /** True when a node has the transaction. */
  async #sendOne({
    id: intentId,
    signedTransaction,
    policy,
    sendRoute,
    submittedAt,
  }: FirstSend['submitted']): Promise<boolean> {
    const { database, clock, log, recorder, holdOutPercent, onSend, onLeft, onDue } = this.#dependencies;
    const view = signedTransaction === null ? null : readTransaction(signedTransaction);
    const signature =
      signedTransaction === null || view === null ? null : firstSignature(signedTransaction, view);
    if (
      signedTransaction === null ||
      signature === null ||
      policyViolation(signedTransaction, policy, view) !== null
    ) {
      // The worker judges it in the same way, and ends the intent.
      onLeft?.();
      return false;
    }
    const sentAt = clock.now();
    onSend?.(sentAt.getTime() - (submittedAt ?? sentAt).getTime());
    const send = new UnnamedSend(signedTransaction, signature);
    const ofRoute = this.#targets[sendRoute];
    const { targets, heldOut } = addressesOf(intentId, { targets: ofRoute, holdOutPercent });
    const sending = sendToNodes(targets, send, this.#dependencies, {
      onAccepted: async (node) => {
        // Debug only: the access log has a line of this request already, and a line costs as much as the send.
        log.debug({ intentId, signature: send.signature, node }, 'broadcast.accepted');
        await this.#recorded(recorder.recordAccepted({ intentId, signature: send.signature }));
      },
      onAllAnswered: (answers) =>
        this.#recorded(recorder.record({ intentId, sentAt, slot, answers, heldOut })),
    });
    const slot = recorder.currentSlot();
    const result = await sending;
    if (result.isAccepted) {
      if (result.isMisanswered) await recordSignatureMismatch(database, intentId);
      return true;
    }
    log.warn({ intentId, responses: result.responses }, 'broadcast.not_accepted');
    await leaveToWorker(database, intentId, result, clock.now());
    onDue();
    return false;
  }
}
