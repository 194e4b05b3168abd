import type { SubscribeRequest, SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { BONDING_CURVE, DAMM_V1, DAMM_V2 } from '../../chain/accounts/programs.ts';
import { encodeBase58 } from '../../shared/base58.ts';
import { untilAborted } from '../../shared/loop.ts';
import type { StreamListener, WakeUpStream } from './wake-up-stream.ts';

/** Accounts of these programs have a few KiB. A larger message ends the stream. */
const MESSAGE_BYTES_MAX = 1_024 * 1_024;
/** Proxies close a stream on which only one side sends. Keepalives prevent this. */
const KEEPALIVE_MS = 10_000;

/**
 * Wake-ups from a Yellowstone Geyser plugin: changed accounts of the pools' programs, at `confirmed`.
 *
 * @param token sent as `x-token`, never logged
 */
export function geyserStream(url: string, token: string | undefined): WakeUpStream {
  return {
    source: 'geyser',
    node: new URL(url).host,
    connect: (listener, signal) => connect(url, token, listener, signal),
  };
}

async function connect(
  url: string,
  token: string | undefined,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  // Loaded only when a plugin is configured: it takes 0.1 s of CPU, a quarter of a worker's start.
  const { default: Client, CommitmentLevel } = await import('@triton-one/yellowstone-grpc');
  if (signal.aborted) return;
  const request = requestAt(CommitmentLevel.CONFIRMED);
  const client = new Client(url, token, {
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
  });
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const stream = await client.subscribe();
  try {
    stream.on('error', reject);
    stream.on('end', () => reject(new Error('the node ended the stream')));
    stream.on('data', (update: SubscribeUpdate) => {
      try {
        if (update.ping !== undefined) stream.write({ ...request, accounts: {}, slots: {}, ping: { id: 1 } });
        else receive(update, listener);
      } catch (error) {
        reject(error);
      }
    });
    stream.write(request);
    await Promise.race([failed, untilAborted(signal)]);
  } finally {
    // The cancelled call also emits an error, which nobody needs.
    stream.on('error', () => {});
    stream.cancel();
    client._client.close();
  }
}

const requestAt = (commitment: SubscribeRequest['commitment']): SubscribeRequest => ({
  accounts: { pools: { account: [], owner: [BONDING_CURVE, DAMM_V2, DAMM_V1], filters: [] } },
  slots: { slots: { filterByCommitment: true } },
  transactions: {},
  transactionsStatus: {},
  blocks: {},
  blocksMeta: {},
  entry: {},
  accountsDataSlice: [],
  commitment,
});

/** 64-bit numbers come as decimal text. */
function receive({ account, slot }: SubscribeUpdate, listener: StreamListener): void {
  if (slot !== undefined) listener.onSlot(BigInt(slot.slot));
  if (account?.account === undefined) return;
  const poolAddress = encodeBase58(account.account.pubkey);
  if (!listener.isKnown(poolAddress)) return;
  listener.onChange({ poolAddress, slot: BigInt(account.slot), data: account.account.data });
}
