import type { ServerWebSocket } from 'bun';
import { atEnd } from '../run/cleanup.ts';

const SLOT_MS = 50;

export interface SignatureSocketOptions {
  /** The limit of subscriptions per connection, besides the one for slots. */
  places?: number;
  /** The slot that the node reports. */
  slot?(): bigint;
  /** Replaces the number with which the node acknowledges a subscription. */
  acknowledgement?: unknown;
}

interface Call {
  id: number;
  method: string;
  params?: readonly unknown[];
}

/** The WebSocket of a node. It reports slots by itself, and signatures when a test calls `notify`. */
export class SignatureSocket {
  readonly url: string;
  /** Signatures that clients subscribed to, over all connections, in order. */
  readonly asked: string[] = [];
  /** Signatures whose subscriptions were ended by the client. */
  readonly ended: string[] = [];
  connections = 0;
  readonly #open = new Map<ServerWebSocket<unknown>, Map<number, string>>();
  readonly #places: number;
  readonly #slot: () => bigint;
  readonly #acknowledgement: unknown;
  #lastId = 0;

  constructor(options: SignatureSocketOptions = {}) {
    this.#places = options.places ?? Number.POSITIVE_INFINITY;
    this.#slot = options.slot ?? (() => BigInt(Date.now()));
    this.#acknowledgement = options.acknowledgement;
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 400 })),
      websocket: {
        open: (socket) => {
          this.connections += 1;
          this.#open.set(socket, new Map());
        },
        message: (socket, text) => this.#receive(socket, JSON.parse(String(text)) as Call),
        close: (socket) => void this.#open.delete(socket),
      },
    });
    this.url = `ws://127.0.0.1:${server.port}`;
    // biome-ignore lint/plugin: the slots of a node
    const slots = setInterval(() => {
      const params = { subscription: 0, result: { slot: Number(this.#slot()) } };
      this.send({ jsonrpc: '2.0', method: 'slotNotification', params });
    }, SLOT_MS);
    atEnd(async () => {
      clearInterval(slots);
      await server.stop(true);
    });
  }

  /** Signatures that some connection is subscribed to. */
  get subscribed(): string[] {
    return [...this.#open.values()].flatMap((subscriptions) => [...subscriptions.values()]);
  }

  /** Reports a signature as confirmed to everyone subscribed to it; its subscription ends, as at a node. */
  notify(signature: string, { times = 1 }: { times?: number } = {}): void {
    for (const [socket, subscriptions] of this.#open) {
      for (const [subscription, subscribed] of subscriptions) {
        if (subscribed !== signature) continue;
        subscriptions.delete(subscription);
        const result = { context: { slot: Number(this.#slot()) }, value: { err: null } };
        const message = { jsonrpc: '2.0', method: 'signatureNotification', params: { subscription, result } };
        for (let sent = 0; sent < times; sent += 1) socket.send(JSON.stringify(message));
      }
    }
  }

  /** Sends a message to every connection. */
  send(message: object): void {
    for (const socket of this.#open.keys()) socket.send(JSON.stringify(message));
  }

  /** Ends every connection. */
  hangUp(): void {
    for (const socket of this.#open.keys()) socket.close();
  }

  #receive(socket: ServerWebSocket<unknown>, { id, method, params: [subject] = [] }: Call): void {
    const subscriptions = this.#open.get(socket) ?? new Map<number, string>();
    const answer = (body: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    if (method === 'slotSubscribe') answer({ result: 0 });
    else if (method === 'signatureSubscribe') {
      this.asked.push(String(subject));
      if (subscriptions.size >= this.#places)
        return void answer({ error: { code: -32_602, message: 'too many subscriptions' } });
      this.#lastId += 1;
      subscriptions.set(this.#lastId, String(subject));
      answer({ result: this.#acknowledgement ?? this.#lastId });
    } else if (method === 'signatureUnsubscribe') {
      const signature = subscriptions.get(Number(subject));
      if (signature !== undefined) this.ended.push(signature);
      subscriptions.delete(Number(subject));
      answer({ result: signature !== undefined });
    }
  }
}
