import type { ServerWebSocket, WebSocketHandler } from 'bun';

interface Call {
  id: number;
  method: string;
  params?: readonly unknown[];
}

/** The WebSocket of the stub node: reports slots, and each signature once, to its subscribers. */
export class StubSocket {
  readonly handlers: WebSocketHandler<undefined>;
  readonly #slot: () => number;
  readonly #isConfirmed: (signature: string) => boolean;
  readonly #slotTimer: Timer;
  readonly #sockets = new Set<ServerWebSocket<undefined>>();
  readonly #watchers = new Map<string, { socket: ServerWebSocket<undefined>; subscription: number }[]>();
  #lastId = 0;

  constructor(slot: () => number, isConfirmed: (signature: string) => boolean, slotMs: number) {
    this.#slot = slot;
    this.#isConfirmed = isConfirmed;
    this.handlers = {
      open: (socket) => void this.#sockets.add(socket),
      close: (socket) => void this.#sockets.delete(socket),
      message: (socket, text) => this.#receive(socket, JSON.parse(String(text)) as Call),
    };
    this.#slotTimer = setInterval(() => {
      const params = { subscription: 0, result: { slot: this.#slot() } };
      for (const socket of this.#sockets) send(socket, { method: 'slotNotification', params });
    }, slotMs);
  }

  notify(signature: string): void {
    const watchers = this.#watchers.get(signature) ?? [];
    this.#watchers.delete(signature);
    const result = { context: { slot: this.#slot() }, value: { err: null } };
    for (const { socket, subscription } of watchers)
      send(socket, { method: 'signatureNotification', params: { subscription, result } });
  }

  close(): void {
    clearInterval(this.#slotTimer);
  }

  #receive(socket: ServerWebSocket<undefined>, { id, method, params: [subject] = [] }: Call): void {
    if (method.endsWith('Unsubscribe')) {
      send(socket, { id, result: true });
      return;
    }
    this.#lastId += 1;
    const subscription = this.#lastId;
    send(socket, { id, result: subscription });
    if (method !== 'signatureSubscribe') return;
    const signature = String(subject);
    const watchers = this.#watchers.get(signature) ?? [];
    this.#watchers.set(signature, [...watchers, { socket, subscription }]);
    if (this.#isConfirmed(signature)) this.notify(signature);
  }
}

function send(socket: ServerWebSocket<undefined>, message: object): void {
  socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
}
