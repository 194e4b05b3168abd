import { slotOf } from './node-socket.ts';

/** Id of our request for slots. The ids of requests for signatures count up from it. */
const SLOTS_REQUEST = 0;
/** A node that leaves this many requests unanswered does not acknowledge at all. */
const UNANSWERED_MAX = 4_000;

export interface SignatureListener {
  onSlot(slot: bigint): void;
  /** The node reports that a transaction is confirmed in this slot, successful or not. */
  onNotification(signature: string, slot: bigint): void;
  /** The node refuses another subscription. */
  onRefusal(): void;
  /** The node has left too many requests unanswered. */
  onUnanswered(): void;
}

/**
 * The subscriptions of one connection: `signatureSubscribe` at `confirmed`, which the node ends itself after
 * its only notification, and `slotSubscribe`, which shows that the connection is alive.
 */
export class SignatureSubscriptions {
  readonly #send: (message: object) => void;
  readonly #listener: SignatureListener;
  /** Requests without an answer. Null for an unsubscription. */
  readonly #requests = new Map<number, { signature: string; isWanted: boolean } | null>();
  readonly #signatureOf = new Map<number, string>();
  /** The request of each signature until it is acknowledged, then its subscription. */
  readonly #open = new Map<string, { request: number } | { subscription: number }>();
  #lastRequest = SLOTS_REQUEST;

  constructor(send: (message: object) => void, listener: SignatureListener) {
    this.#send = send;
    this.#listener = listener;
    send({ jsonrpc: '2.0', id: SLOTS_REQUEST, method: 'slotSubscribe' });
  }

  /** Subscriptions that the node has acknowledged or will acknowledge. */
  get count(): number {
    return this.#open.size;
  }

  /** True when the node has acknowledged the subscription and has not sent its notification yet. */
  isAwaited(signature: string): boolean {
    const open = this.#open.get(signature);
    return open !== undefined && 'subscription' in open;
  }

  has(signature: string): boolean {
    return this.#open.has(signature);
  }

  subscribe(signature: string): void {
    if (this.#open.has(signature)) return;
    const params = [signature, { commitment: 'confirmed' }];
    const request = this.#request('signatureSubscribe', params, { signature, isWanted: true });
    this.#open.set(signature, { request });
  }

  unsubscribe(signature: string): void {
    const open = this.#open.get(signature);
    if (open === undefined) return;
    this.#open.delete(signature);
    // A request that is not acknowledged yet is unsubscribed after its acknowledgement.
    if ('request' in open) this.#requests.set(open.request, { signature, isWanted: false });
    else this.#end(open.subscription);
  }

  /** Throws when the message is not one that a node sends. The error ends the connection. */
  receive(message: Message): void {
    const { method, params, id } = message;
    if (method === 'slotNotification') this.#listener.onSlot(slotOf(params?.result?.slot));
    else if (method === 'signatureNotification') this.#notify(params);
    else if (typeof id === 'number') this.#answer(id, message);
  }

  #answer(id: number, { error, result }: Message): void {
    if (id === SLOTS_REQUEST && error !== undefined)
      throw new Error('the node refused a subscription to slots');
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    // A node refuses an unsubscription when the subscription has ended by its notification.
    if (request === undefined || request === null) return;
    const { signature, isWanted } = request;
    if (error === undefined) {
      this.#acknowledge(result, signature, isWanted);
      return;
    }
    if (isWanted) this.#open.delete(signature);
    this.#listener.onRefusal();
  }

  #notify(params: Message['params']): void {
    const slot = slotOf(params?.result?.context?.slot);
    const subscription = params?.subscription;
    const signature = typeof subscription === 'number' ? this.#signatureOf.get(subscription) : undefined;
    // The subscription has ended in the meantime, or never existed.
    if (signature === undefined || typeof subscription !== 'number') return;
    this.#signatureOf.delete(subscription);
    this.#open.delete(signature);
    this.#listener.onNotification(signature, slot);
  }

  #acknowledge(subscription: unknown, signature: string, isWanted: boolean): void {
    if (typeof subscription !== 'number' || this.#signatureOf.has(subscription))
      throw new Error('the node acknowledged a subscription without a new number');
    if (isWanted) {
      this.#signatureOf.set(subscription, signature);
      this.#open.set(signature, { subscription });
    } else this.#end(subscription);
  }

  #end(subscription: number): void {
    this.#signatureOf.delete(subscription);
    this.#request('signatureUnsubscribe', [subscription], null);
  }

  #request(
    method: string,
    params: readonly unknown[],
    subscription: { signature: string; isWanted: boolean } | null,
  ): number {
    if (this.#requests.size >= UNANSWERED_MAX) this.#listener.onUnanswered();
    this.#lastRequest += 1;
    this.#requests.set(this.#lastRequest, subscription);
    this.#send({ jsonrpc: '2.0', id: this.#lastRequest, method, params });
    return this.#lastRequest;
  }
}

interface Message {
  id?: unknown;
  method?: string;
  result?: unknown;
  error?: unknown;
  params?: {
    subscription?: unknown;
    result?: { slot?: unknown; context?: { slot?: unknown } };
  };
}
