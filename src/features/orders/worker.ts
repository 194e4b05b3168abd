import type { Database } from '../../db/client.ts';
import type { StepJob, WorkerDoor } from '../../db/jobs/job.ts';
import { ENTER_WORKER_KEYS_EVERY_MS, enterWorkerKeys, type SharedKeys } from '../../db/worker-keys.ts';
import type { FirstBroadcaster } from '../../intents/send/first-broadcaster.ts';
import { createIntentSender } from '../../intents/submit/store-signed.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { Wakeup } from '../../shared/loop.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { createOrderMoves } from './move-orders.ts';
import { readUnopenedOrders } from './read-unopened-orders.ts';
import { isOrderDue } from './sending/claim-orders.ts';
import { type EndContext, endSentOrders, expireOrders, isOrderEndDue } from './sending/end-orders.ts';
import type { OrderMetrics } from './sending/metrics.ts';
import { OrderSender, type OrderSenderDependencies } from './sending/order-sender.ts';
import { ORDER_KIND } from './sending/submit-orders.ts';
import { voidMigratedOrders } from './sending/void-orders.ts';
import { advanceOrderSlots, type OrderSlotsContext } from './slots/advance-slots.ts';
import { isSlotDue } from './slots/due-slot-rows.ts';
import { createSlotDependents } from './slots/settle-slot-intents.ts';

export interface OrderWorkerDependencies extends Omit<EndContext, 'db' | 'metrics'> {
  metrics: { orders: OrderMetrics };
  onStatusChanged(ids: readonly string[]): void;
}

export interface OrderJobDependencies
  extends Omit<OrderSlotsContext, 'metrics'>,
    Omit<OrderSenderDependencies, 'metrics' | 'box' | 'intents'> {
  decisiveClock: Clock;
  metrics: { orders: OrderMetrics };
  /** Opens signed orders. Null without a key: this worker sends none. */
  orderBox: SecretBox | null;
  /** The keys that the api has too. */
  sharedKeys: SharedKeys;
  firstBroadcaster: FirstBroadcaster;
  orderWakeups: { triggered: Wakeup; ended: Wakeup };
}

export const orderWorker = {
  open({ outbox, clock, metrics, onStatusChanged }: OrderWorkerDependencies) {
    const orderWakeups = { triggered: new Wakeup(), ended: new Wakeup() };
    return {
      orderWakeups,
      /** For ingest. */
      orders: createOrderMoves({ outbox, clock }),
      onOrdersTriggered: () => orderWakeups.triggered.wake(),
      /** For intents. */
      dependents: createSlotDependents({ outbox, clock, metrics: metrics.orders, onStatusChanged }),
      onIntentsEnded(ended: readonly { kind: string }[]) {
        if (ended.some(({ kind }) => kind === ORDER_KIND)) orderWakeups.ended.wake();
      },
    };
  },
  jobs(dependencies: OrderJobDependencies): readonly StepJob[] {
    const { db, outbox, rpcs, chainHead, log, decisiveClock, orderBox, onStatusChanged } = dependencies;
    const metrics = dependencies.metrics.orders;
    const decisive = { db, outbox, clock: decisiveClock, metrics };
    const slots: OrderSlotsContext = { ...decisive, rpcs, chainHead, onStatusChanged };
    return [
      // Follows the nonce accounts of order slots (contract/orders#slot-status).
      { name: 'order-slots', isDue: isSlotDue, step: () => advanceOrderSlots(slots) },
      ...(orderBox === null ? [] : [orderSends({ ...dependencies, orderBox })]),
      orderEnds(decisive, dependencies.orderWakeups.ended),
      workerKeys({ db, keys: dependencies.sharedKeys, orderBox, log }),
    ];
  },
} satisfies WorkerDoor;

/** Sends triggered orders; any number of workers may do it (contract/orders#sending). */
function orderSends(dependencies: OrderJobDependencies & { orderBox: SecretBox }): StepJob {
  const { firstBroadcaster, outbox, clock, orderBox: box, orderWakeups, metrics } = dependencies;
  const sender = new OrderSender({
    db: dependencies.db,
    outbox,
    clock,
    rpcs: dependencies.rpcs,
    log: dependencies.log,
    metrics: metrics.orders,
    box,
    intents: createIntentSender({ outbox, clock, chainHead: dependencies.chainHead, firstBroadcaster }),
  });
  return {
    name: 'order-sends',
    isDue: isOrderDue,
    wakeup: orderWakeups.triggered,
    step: () => sender.step(),
    async finish() {
      await sender.drain();
      await firstBroadcaster.drain();
    },
  };
}

const ENDED_MAX = 200;
/** Between two looks at the orders of tokens that have left their curve. */
const MIGRATED_EVERY_MS = 10_000;

/** Ends orders by their intents, the clock and migrations (contract/orders#ends). */
function orderEnds(context: EndContext, intentsEnded: Wakeup): StepJob {
  let nextLookMs = 0;
  return {
    name: 'order-ends',
    isDue: isOrderEndDue,
    wakeup: intentsEnded,
    async step() {
      const ended = await endSentOrders(context, ENDED_MAX);
      const expired = await expireOrders(context, ENDED_MAX);
      const nowMs = performance.now();
      if (nowMs >= nextLookMs) {
        const voided = await voidMigratedOrders(context, ENDED_MAX);
        nextLookMs = voided === ENDED_MAX ? 0 : nowMs + MIGRATED_EVERY_MS;
      }
      return ended >= ENDED_MAX || expired === ENDED_MAX;
    },
  };
}

export interface WorkerKeysDependencies {
  db: Database;
  keys: SharedKeys;
  /** Null without a key of orders. */
  orderBox: SecretBox | null;
  log: Logger;
}

/** The orders are opened at the start and every ten minutes: an order waits longer than that for its price. */
const STEPS_PER_COMPARISON = 20;

/**
 * Says which keys this worker has: an api takes no order that no worker could open. Logs orders that this one
 * could not open, when their number changes.
 */
export function workerKeys({ db, keys, orderBox, log }: WorkerKeysDependencies): StepJob {
  let steps = 0;
  let reported = 0;
  return {
    name: 'worker-keys',
    everyMs: ENTER_WORKER_KEYS_EVERY_MS,
    async step() {
      await enterWorkerKeys(db, keys);
      if (steps % STEPS_PER_COMPARISON === 0) {
        const { signed, unopened } = await readUnopenedOrders(db, orderBox);
        const level = unopened > 0 ? 'error' : 'info';
        if (unopened !== reported) log[level]({ setting: 'ORDER_KEYS', signed, unopened }, 'orders.unopened');
        reported = unopened;
      }
      steps += 1;
      return false;
    },
  };
}
