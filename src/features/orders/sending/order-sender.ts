import type { IntentSender, SubmittedIntent } from '../../../intents/send/intent-sender.ts';
import { GatheringQueue } from '../../../shared/gathering-queue.ts';
import type { Logger } from '../../../shared/log.ts';
import { RunningWork } from '../../../shared/running-work.ts';
import { checkOrder, type OrderCheck, type OrderCheckDependencies } from './check-order.ts';
import { claimOrders, type DueOrder } from './claim-orders.ts';
import type { OrderMetrics } from './metrics.ts';
import { type SettleContext, settleUnsent } from './settle-unsent.ts';
import { type SendableOrder, submitOrders } from './submit-orders.ts';

export interface OrderSenderDependencies extends SettleContext, OrderCheckDependencies {
  intents: IntentSender;
  log: Logger;
  metrics: Pick<OrderMetrics, 'onAttempt' | 'onSent' | 'onOrdersEnded'>;
}

const CLAIM_MAX = 64;
/** Orders that wait for a node. One that hangs delays nothing below this number. */
const IN_FLIGHT_MAX = 256;
/** A worker that is killed leaves its orders to the next one after this time. */
const CLAIMED_MS = 10_000;
/** Orders of one transaction. */
const SUBMITTED_TOGETHER_MAX = 32;
const WRITERS_MAX = 4;

/**
 * Sends triggered orders (contract/orders#sending): claim, look at the chain, store the intent, send. Any number of workers
 * may; a process that is killed in between leaves a claim that ends, or an intent that the broadcaster sends.
 */
export class OrderSender {
  readonly #dependencies: OrderSenderDependencies;
  readonly #inFlight = new RunningWork();
  readonly #submissions: GatheringQueue<SendableOrder, SubmittedIntent | null>;

  constructor(dependencies: OrderSenderDependencies) {
    this.#dependencies = dependencies;
    const { db, intents, clock } = dependencies;
    this.#submissions = new GatheringQueue({
      batchMax: SUBMITTED_TOGETHER_MAX,
      writersMax: WRITERS_MAX,
      keysOf: ({ order }) => [order.id],
      // Nothing was stored then. Each is stored alone, so only a faulty one fails.
      isFaultOfItem: () => true,
      write: (sendable) => submitOrders(db, sendable, intents, clock.now()),
    });
  }

  /** Claims the orders that are due and begins with them. True when there may be more. */
  async step(): Promise<boolean> {
    const { db, clock } = this.#dependencies;
    while (this.#inFlight.size > IN_FLIGHT_MAX - CLAIM_MAX) await this.#inFlight.oneEnded();
    const now = clock.now();
    const until = new Date(now.getTime() + CLAIMED_MS);
    const due = await claimOrders(db, { now, until, limit: CLAIM_MAX });
    for (const order of due) this.#inFlight.add(this.#handle(order));
    return due.length === CLAIM_MAX;
  }

  /** Waits for the orders in work. */
  drain(): Promise<void> {
    return this.#inFlight.ended();
  }

  /** Never rejects: an order whose work fails is due again when its claim ends. */
  async #handle(order: DueOrder): Promise<void> {
    const { log, metrics } = this.#dependencies;
    try {
      const check = await checkOrder(order, this.#dependencies);
      metrics.onAttempt(check.outcome);
      if (check.outcome === 'sendable') await this.#send({ order, ...check });
      else await this.#settle(order, check);
    } catch (err) {
      log.error({ err, orderId: order.id }, 'order.not_handled');
    }
  }

  async #send(sendable: SendableOrder): Promise<void> {
    const { clock, intents, log, metrics } = this.#dependencies;
    const { order } = sendable;
    const intent = await this.#submissions.add(sendable);
    if (intent === null) return;
    intents.send(intent);
    metrics.onSent(clock.now().getTime() - order.triggeredAt.getTime(), order.attempts === 0);
    log.info({ orderId: order.id, intentId: intent.id, venue: sendable.transaction.venue }, 'order.sent');
  }

  async #settle(order: DueOrder, check: Exclude<OrderCheck, { outcome: 'sendable' }>): Promise<void> {
    const { log, metrics } = this.#dependencies;
    const outcome = await settleUnsent(this.#dependencies, order, check);
    if (outcome === null) return;
    if (outcome.settled.kind === 'ends') metrics.onOrdersEnded([outcome.order]);
    const level = check.outcome === 'unreadable' ? 'error' : 'info';
    log[level]({ orderId: order.id, check, becomes: outcome.settled }, 'order.not_sent');
  }
}
