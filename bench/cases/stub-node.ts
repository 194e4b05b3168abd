import bs58 from 'bs58';
import type { ServerWebSocket, WebSocketHandler } from 'bun';
import { NOMINAL_SLOT_MS } from '../../src/chain/pace/protocol.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';

export interface StubNode {
  url: string;
  /** Calls that it has answered. */
  calls(): number;
  /** Called with the base64 of each `sendTransaction`; one listener at a time. */
  onSend(listener: ((transaction: string) => void) | null): void;
  /** Called with each signature at the moment in which it counts as confirmed; one listener at a time. */
  onConfirmed(listener: ((signature: string) => void) | null): void;
  close(): Promise<void>;
}

export interface StubNodeOptions {
  /** Time from the first send of a transaction to its confirmation. Default: none. */
  confirmMs?: number;
}

/** Balance of every wallet in every mint. */
export const STUB_BALANCE_RAW = 1_000_000n;

const GENESIS_HASH = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const FIRST_SLOT = 300_000_000;

/**
 * A Solana node with constant results inside the bench process, so that the api's background polling costs as much as
 * in production, without failures. Knows the calls of `src/chain/rpc/` and the subscriptions of the worker; no
 * accounts exist except balances, and a transaction that was sent is finalized, by default immediately.
 */
export function startStubNode({ confirmMs }: StubNodeOptions = {}): StubNode {
  const startedAtMs = performance.now();
  const slot = () => FIRST_SLOT + Math.floor((performance.now() - startedAtMs) / NOMINAL_SLOT_MS);
  const withContext = (value: unknown) => ({ context: { slot: slot(), apiVersion: '2.0.0' }, value });
  const sent = new Set<string>();
  const confirmed = new Set<string>();
  const socket = new StubSocket(slot, (signature) => confirmed.has(signature), NOMINAL_SLOT_MS);
  let listener: ((transaction: string) => void) | null = null;
  let confirmedListener: ((signature: string) => void) | null = null;
  const confirm = (signature: string) => {
    confirmed.add(signature);
    confirmedListener?.(signature);
    socket.notify(signature);
  };
  const results: Record<string, (params: readonly unknown[]) => unknown> = {
    getEpochInfo: () => ({
      absoluteSlot: slot(),
      blockHeight: slot(),
      epoch: 700,
      slotIndex: 0,
      slotsInEpoch: 432_000,
      transactionCount: 1,
    }),
    getBlockHeight: slot,
    getSlot: slot,
    getGenesisHash: () => GENESIS_HASH,
    getVersion: () => ({ 'solana-core': '2.0.0', 'feature-set': 1 }),
    getSignatureStatuses: ([signatures]) =>
      withContext(
        Array.isArray(signatures)
          ? signatures.map((signature: string) => (confirmed.has(signature) ? finalized(slot()) : null))
          : [],
      ),
    sendTransaction: ([transaction]) => {
      const wire = String(transaction);
      listener?.(wire);
      const signature = signatureOf(wire);
      if (!sent.has(signature)) {
        sent.add(signature);
        if (confirmMs === undefined) confirm(signature);
        else setTimeout(confirm, confirmMs, signature);
      }
      return signature;
    },
    simulateTransaction: () => withContext({ err: null, logs: [], unitsConsumed: 50_000 }),
    getAccountInfo: () => withContext(null),
    getMultipleAccounts: ([addresses]) =>
      withContext(Array.isArray(addresses) ? addresses.map(() => null) : []),
    getTokenAccountsByOwner: ([wallet, filter]) => withContext(holdings(String(wallet), filter)),
    getProgramAccounts: () => [],
    getSignaturesForAddress: () => [],
  };
  let calls = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    websocket: socket.handlers,
    async fetch(request, self) {
      if (self.upgrade(request)) return undefined;
      if (request.method !== 'POST') return new Response('only POST', { status: 405 });
      const { id, method, params } = (await request.json()) as {
        id: unknown;
        method: string;
        params?: readonly unknown[];
      };
      calls += 1;
      const result = results[method];
      if (result === undefined) {
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
      }
      return Response.json({ jsonrpc: '2.0', id, result: result(params ?? []) });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls: () => calls,
    onSend(next) {
      listener = next;
    },
    onConfirmed(next) {
      confirmedListener = next;
    },
    close() {
      socket.close();
      return server.stop(true);
    },
  };
}

/** The id of a transaction: its first signature, after the count. */
function signatureOf(wire: string): string {
  return encodeBase58(Buffer.from(wire, 'base64').subarray(1, 65));
}

function finalized(slot: number) {
  return { slot, confirmations: null, err: null, status: { Ok: null }, confirmationStatus: 'finalized' };
}

/** One account of the requested mint, cut to mint, owner and amount; none when the filter is a program. */
function holdings(wallet: string, filter: unknown): unknown[] {
  const mint = (filter as { mint?: string }).mint;
  if (mint === undefined) return [];
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(STUB_BALANCE_RAW);
  const data = Buffer.concat([bs58.decode(mint), bs58.decode(wallet), amount]).toString('base64');
  const account = {
    lamports: 2_039_280,
    owner: TOKEN_PROGRAM,
    executable: false,
    rentEpoch: 0,
    space: 165,
    data: [data, 'base64'],
  };
  return [{ pubkey: wallet, account }];
}

interface Call {
  id: number;
  method: string;
  params?: readonly unknown[];
}

/** The WebSocket of the stub node: reports slots, and each signature once, to its subscribers. */
class StubSocket {
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
