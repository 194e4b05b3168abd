import { dammPoolShape } from '../../chain/accounts/damm-pool.ts';
import { BONDING_CURVE, DAMM_V2 } from '../../chain/accounts/programs.ts';
import { curvePoolShape } from '../../chain/accounts/virtual-pool.ts';
import type { StreamListener, WakeUpStream } from './wake-up-stream.ts';

/** A notification of one pool has some 2 KiB; a node that sends more than this is not what it claims to be. */
const MESSAGE_CHARACTERS_MAX = 64 * 1_024;
/** Ids of our requests: one per kind of pool, and the slots. */
const SLOTS_REQUEST = 0;

/** Kinds of pools by program and the first bytes of their accounts. */
const POOL_KINDS: readonly { program: string; discriminator: string }[] = [
  ...curvePoolShape.discriminators.map((discriminator) => ({ program: BONDING_CURVE, discriminator })),
  ...dammPoolShape.discriminators.map((discriminator) => ({ program: DAMM_V2, discriminator })),
];

/**
 * Wake-ups from any JSON-RPC node with WebSocket: `programSubscribe` on the pools of both programs, at `confirmed`. `logsSubscribe`
 * would name a signature and no pool, because both programs report by calling themselves and not in logs (decision 0027).
 */
export function socketStream(url: string): WakeUpStream {
  return {
    source: 'websocket',
    node: new URL(url).host,
    connect: (listener, signal) => connect(url, listener, signal),
  };
}

function connect(url: string, listener: StreamListener, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = new WebSocket(url);
  const stop = () => resolve();
  signal.addEventListener('abort', stop, { once: true });
  socket.onopen = () => {
    for (const request of requests()) socket.send(JSON.stringify(request));
  };
  socket.onmessage = ({ data }) => {
    try {
      receive(data, listener);
    } catch (error) {
      reject(error);
    }
  };
  socket.onerror = () => reject(new Error('the socket failed'));
  socket.onclose = ({ code }) => reject(new Error(`the node closed the socket (${code})`));
  return promise.finally(() => {
    signal.removeEventListener('abort', stop);
    socket.onmessage = null;
    // Without a handshake of its own: a node that is silent would not take part in it.
    socket.terminate();
  });
}

function requests(): object[] {
  const pools = POOL_KINDS.map(({ program, discriminator }, at) => ({
    jsonrpc: '2.0',
    id: SLOTS_REQUEST + 1 + at,
    method: 'programSubscribe',
    params: [
      program,
      {
        commitment: 'confirmed',
        encoding: 'base64',
        filters: [
          {
            memcmp: {
              offset: 0,
              encoding: 'base64',
              bytes: Buffer.from(discriminator, 'hex').toString('base64'),
            },
          },
        ],
      },
    ],
  }));
  return [{ jsonrpc: '2.0', id: SLOTS_REQUEST, method: 'slotSubscribe' }, ...pools];
}

/** Throws what ends the connection: a refused subscription, or something that is no message of a node. */
function receive(text: unknown, listener: StreamListener): void {
  if (typeof text !== 'string' || text.length > MESSAGE_CHARACTERS_MAX)
    throw new Error('the node sent something that is no notification');
  const message = JSON.parse(text) as Message;
  if (message.error !== undefined)
    throw new Error(`the node refused a subscription: ${message.error.message}`);
  const result = message.params?.result;
  if (result === undefined) return;
  if (message.method === 'slotNotification') listener.onSlot(slotOf(result.slot));
  if (message.method !== 'programNotification') return;
  const { pubkey, account } = result.value ?? {};
  const slot = slotOf(result.context?.slot);
  const content = account?.data?.[0];
  if (typeof pubkey !== 'string' || typeof content !== 'string')
    throw new Error('the node sent a notification without an account');
  if (listener.isKnown(pubkey))
    listener.onChange({ poolAddress: pubkey, slot, data: Buffer.from(content, 'base64') });
}

function slotOf(slot: unknown): bigint {
  if (!Number.isSafeInteger(slot) || Number(slot) < 0)
    throw new Error('the node sent a slot that is no whole number');
  return BigInt(Number(slot));
}

interface Message {
  method?: string;
  error?: { message?: unknown };
  params?: {
    result?: {
      slot?: unknown;
      context?: { slot?: unknown };
      value?: { pubkey?: unknown; account?: { data?: readonly unknown[] } };
    };
  };
}
