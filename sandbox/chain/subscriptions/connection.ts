import { stringifyRpcJson } from '../../../src/chain/rpc/json.ts';
import { answerBody, type MethodTable } from '../json-rpc.ts';
import type { RpcContext, RpcMethod } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import type { SubscriptionHub } from './hub.ts';
import { SUBSCRIPTION_KINDS } from './kinds.ts';
import type { Subscription } from './subscription.ts';

const SUBSCRIPTIONS_MAX = 10_000;

/** One WebSocket: JSON-RPC calls in, answers and notifications out. */
export class SubscriptionConnection {
  readonly #hub: SubscriptionHub;
  readonly #contextOf: () => RpcContext;
  readonly #send: (text: string) => void;
  readonly #methods: MethodTable;
  readonly #byId = new Map<number, Subscription>();
  /** Subscriptions of the current message. They start after its answer was sent. */
  #starting: Subscription[] = [];
  static #lastId = 0;

  constructor(hub: SubscriptionHub, contextOf: () => RpcContext, send: (text: string) => void) {
    this.#hub = hub;
    this.#contextOf = contextOf;
    this.#send = send;
    this.#methods = new Map(
      Object.keys(SUBSCRIPTION_KINDS).flatMap((kind): [string, RpcMethod][] => [
        [`${kind}Subscribe`, (_context, params) => this.#subscribe(kind, params)],
        [`${kind}Unsubscribe`, (_context, params) => this.#unsubscribe(params[0])],
      ]),
    );
  }

  receive(message: string): void {
    const answer = answerBody(this.#methods, this.#contextOf, message);
    if (answer !== '') this.#send(answer);
    const started = this.#starting;
    this.#starting = [];
    for (const subscription of started) this.#hub.start(subscription);
  }

  close(): void {
    for (const subscription of this.#byId.values()) this.#hub.remove(subscription);
    this.#byId.clear();
  }

  #subscribe(kind: string, params: readonly unknown[]): number {
    if (this.#byId.size >= SUBSCRIPTIONS_MAX)
      throw invalidParams(`at most ${SUBSCRIPTIONS_MAX} subscriptions a connection`);
    const subscription = SUBSCRIPTION_KINDS[kind]?.(params);
    if (subscription === undefined) throw invalidParams(`unknown subscription ${kind}`);
    SubscriptionConnection.#lastId += 1;
    const id = SubscriptionConnection.#lastId;
    this.#byId.set(id, subscription);
    this.#hub.add(subscription, (result) => {
      if (subscription.isDone?.() === true) this.#byId.delete(id);
      const { silentSockets, down } = this.#contextOf().faults.current;
      if (silentSockets === true || down !== undefined) return;
      const params = { result, subscription: id };
      this.#send(stringifyRpcJson({ jsonrpc: '2.0', method: subscription.notification, params }));
    });
    this.#starting.push(subscription);
    return id;
  }

  #unsubscribe(id: unknown): boolean {
    const subscription = typeof id === 'number' ? this.#byId.get(id) : undefined;
    if (subscription === undefined || typeof id !== 'number') throw invalidParams('Invalid subscription id.');
    this.#byId.delete(id);
    this.#hub.remove(subscription);
    return true;
  }
}
