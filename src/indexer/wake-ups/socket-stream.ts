import { dammV1PoolShape } from '../../chain/accounts/damm-v1-pool.ts';
import { BONDING_CURVE, DAMM_V1, DAMM_V2 } from '../../chain/accounts/programs.ts';
import { curvePoolShape } from '../../chain/pools/curve/pool-account.ts';
import { dammPoolShape } from '../../chain/pools/damm/pool-account.ts';
import { connectNodeSocket, slotOf } from '../../chain/streams/node-socket.ts';
import type { StreamListener, WakeUpStream } from './wake-up-stream.ts';

/** Ids of our requests: one for the slots, then one for each kind of pool. */
const SLOTS_REQUEST = 0;

/** Kinds of pools by program and the first bytes of their accounts. */
const POOL_KINDS: readonly { program: string; discriminator: string }[] = [
  ...curvePoolShape.discriminators.map((discriminator) => ({ program: BONDING_CURVE, discriminator })),
  ...dammPoolShape.discriminators.map((discriminator) => ({ program: DAMM_V2, discriminator })),
  ...dammV1PoolShape.discriminators.map((discriminator) => ({ program: DAMM_V1, discriminator })),
];

/**
 * Wake-ups from any JSON-RPC node with WebSocket: `programSubscribe` for the pools of all programs, at
 * `confirmed`. `logsSubscribe` would report a signature but no pool (decision 0027).
 */
export function socketStream(url: string): WakeUpStream {
  return {
    source: 'websocket',
    node: new URL(url).host,
    connect: (listener, signal) =>
      connectNodeSocket(
        url,
        {
          onOpen(send) {
            for (const request of requests()) send(request);
          },
          onMessage: (message) => receive(message, listener),
        },
        signal,
      ),
  };
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

/** Throws an error that ends the connection: a refused subscription, or a message that no node sends. */
function receive(message: Message, listener: StreamListener): void {
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
