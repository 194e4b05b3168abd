import { Keypair } from '@solana/web3.js';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import type { ApiProcess } from '../../../sandbox/inbox/api-process.ts';
import { DemoWallet } from '../../../sandbox/inbox/demo-wallet.ts';
import { ReceivedDeliveries } from '../../../sandbox/inbox/received-deliveries.ts';
import { serveInbox } from '../../../sandbox/inbox/server.ts';
import { documentedEvents } from '../../../src/documentation/events/documented-events.ts';
import { responseExample } from '../../../src/documentation/reference/response-examples.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { watchedPage } from '../http/browser.ts';
import { atEnd } from '../run/cleanup.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const HEARTBEAT_MS = 1_000;
const MINUTE_MS = 60_000;

/** A delivery as the api records it. */
export interface StagedDelivery {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  status: string;
  lastErrorCode: string | null;
  responseStatus: number | null;
}

/** The live page over an api that the test controls. */
export interface LivePageStage {
  url: string;
  mints: readonly string[];
  /** The wallet of the sandbox's user. */
  wallet: string;
  /** Minutes for which each market has a bar. */
  bars: number;
  /** Requests for prices of these markets get no response. */
  readonly silentMarkets: Set<string>;
  /** Endpoints with their deliveries, by id. */
  readonly endpoints: Map<string, { url: string; deliveries: StagedDelivery[] }>;
  /** Orders of the account, newest first. */
  readonly orders: { id: string }[];
  /** Subjects of events, by id. */
  readonly subjects: Map<string, string>;
  /** Sends a message to every open stream. */
  tell(event: string, data: object): void;
  /** Sends a genuine webhook to the inbox. */
  deliver(id: string, type: string, subject: string, data?: object): Promise<void>;
}

export function tokenOf(mint: string, price: string | null = '0.00000004659') {
  const number = mint.at(-1);
  return {
    mintAddress: mint,
    name: `A token with the number ${number} and a long name`,
    symbol: `TOKEN${number}`,
    currentPriceInSol: price,
    marketCapInSol: '46.59',
    liquidityInSol: '10.24',
    holderCount: 13,
    solCollectedInSol: '10.24',
    totalSupply: '1000000000',
    decimals: 6,
    status: 'bonding',
    ranking: {
      graduationProgress: '0.5',
      volumeInSol24h: '0',
      marketCapInSol: '46.59',
      tradeCount1h: 0,
      priceChangePercent1h: null,
      lastTradeAt: null,
    },
  };
}

export function tradeOf(id: string, mint: string, blockTime: string, type: 'buy' | 'sell' = 'buy') {
  return {
    id,
    mintAddress: mint,
    type,
    solAmount: '0.5',
    pricePerTokenInSol: '0.00000004471',
    blockTime,
    transactionSignature: `${id}-signature`,
  };
}

/** An order on a token, with one change of it. */
export function orderOf(id: string, mintAddress: string, changes: object = {}) {
  const { example: data } = documentedEvents['order.opened'];
  return { ...data, id, mintAddress, ...changes };
}

export function deliveryOf(
  id: string,
  endpointId: string,
  changes: Partial<StagedDelivery> = {},
): StagedDelivery & Record<string, unknown> {
  const updatedAt = new Date().toISOString();
  return {
    id,
    endpointId,
    eventId: `${id}-event`,
    eventType: 'build.service.launch.created.v1',
    status: 'retrying',
    attemptCount: 2,
    createdAt: updatedAt,
    updatedAt,
    deliveredAt: null,
    nextAttemptAt: null,
    lastErrorCode: 'http_503',
    responseStatus: 503,
    ...changes,
  };
}

/** Opens the page and waits until it is connected. */
export async function openLive(browser: Browser, { url }: LivePageStage) {
  const watched = await watchedPage(browser, {
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
  });
  await watched.page.goto(url);
  await watched.page.locator('#stream[data-state=live]').waitFor();
  await watched.page.locator('#connection[data-state=live]').waitFor();
  return watched;
}

/** The stage's api knows only the events that a test adds, so requests for others fail with 404. */
export function isEvent404(complaint: string): boolean {
  return (
    complaint.includes('404') && (complaint.includes('/api/events/') || complaint.startsWith('console:'))
  );
}

export function startLivePage({ apiProcess }: { apiProcess?: ApiProcess } = {}): LivePageStage {
  const streams = new Set<(text: string) => void>();
  const mints = [1, 2, 3].map((number) => `Mint${'1'.repeat(38)}${number}`);
  const wallet = Keypair.generate();
  const stage = {
    mints,
    wallet: wallet.publicKey.toBase58(),
    bars: 3,
    silentMarkets: new Set<string>(),
    endpoints: new Map<string, { url: string; deliveries: StagedDelivery[] }>(),
    orders: [] as { id: string }[],
    subjects: new Map<string, string>(),
  };
  const api = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: (request) => respond(new URL(request.url)),
  });

  async function respond({ pathname, searchParams }: URL): Promise<Response> {
    const [, collection = '', id = '', part = ''] = pathname.split('/');
    if (collection === 'stream') return openStream(streams);
    if (collection === 'tokens' && part === 'candles') {
      // The page closes before a response comes.
      if (stage.silentMarkets.has(id)) await new Promise(() => {});
      return listOf(candles(stage.bars));
    }
    if (collection === 'tokens' && part === 'trades')
      return listOf([tradeOf('first', id, new Date(Date.now() - MINUTE_MS).toISOString())]);
    if (collection === 'launch-configs')
      return recorded(id === '' ? 'listLaunchConfigs' : 'getLaunchConfigQuote');
    if (collection === 'orders') return listOf(stage.orders);
    if (collection === 'wallets')
      return recorded(part === 'trades' ? 'listWalletTrades' : 'listWalletPositions');
    if (collection === 'tokens') return listOf(mints.toReversed().map((mint) => tokenOf(mint)));
    if (collection === 'transaction-intents')
      return listOf([documentedEvents['transaction_intent.confirmed'].example]);
    if (collection === 'operations') return listOf([documentedEvents['operation.succeeded'].example]);
    if (collection === 'events' && stage.subjects.has(id))
      return Response.json({ id, subject: stage.subjects.get(id) });
    if (collection !== 'webhook-endpoints') return new Response(null, { status: 404 });
    if (id === '')
      return listOf([...stage.endpoints].map(([endpointId, { url }]) => ({ id: endpointId, url })));
    const endpoint = stage.endpoints.get(id);
    if (endpoint === undefined) return new Response(null, { status: 404 });
    if (part === '') return Response.json({ id, url: endpoint.url });
    return listOf(endpoint.deliveries.filter(({ status }) => status === searchParams.get('status')));
  }

  const inbox = serveInbox({
    port: 0,
    deliveries: new ReceivedDeliveries(),
    secret: Promise.resolve(SECRET),
    api: { baseUrl: `http://127.0.0.1:${api.port}`, apiKey: 'lw_test_key' },
    wallet: new DemoWallet(encodeBase58(wallet.secretKey)),
    apiProcess,
  });
  // biome-ignore lint/plugin: the heartbeat of a service
  const heartbeat = setInterval(() => tell('heartbeat', {}), HEARTBEAT_MS);
  atEnd(async () => {
    clearInterval(heartbeat);
    await inbox.stop(true);
    await api.stop(true);
  });

  function tell(event: string, data: object): void {
    for (const send of streams) send(message(event, { data }));
  }

  const url = `http://127.0.0.1:${inbox.port}`;
  return Object.assign(stage, {
    url,
    tell,
    deliver: async (id: string, type: string, subject: string, data: object = {}) => {
      const body = JSON.stringify({ id, type, subject, time: new Date().toISOString(), data });
      const sentAt = new Date();
      await fetch(`${url}/webhooks`, {
        method: 'POST',
        body,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
          'webhook-signature': new Webhook(SECRET).sign(id, sentAt, body),
          'launchwire-delivery-id': `delivery-of-${id}`,
          'launchwire-attempt': '1',
        },
      });
    },
  });
}

function recorded(operationId: string): Response {
  return new Response(responseExample(operationId, { publicUrl: 'http://127.0.0.1' }), {
    headers: { 'Content-Type': 'application/json' },
  });
}

function listOf(data: readonly unknown[]): Response {
  return Response.json({ data });
}

/** One bar a minute, up to this minute. */
function candles(count: number) {
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  return Array.from({ length: count }, (_, at) => ({
    openTime: new Date(now - (count - 1 - at) * MINUTE_MS).toISOString(),
    open: '0.00000004',
    high: '0.00000005',
    low: '0.00000003',
    close: at % 2 === 0 ? '0.000000045' : '0.000000035',
    volumeInSol: '2',
  }));
}

function openStream(streams: Set<(text: string) => void>): Response {
  const encoder = new TextEncoder();
  let send = (_text: string) => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) => controller.enqueue(encoder.encode(text));
      streams.add(send);
      send(message('ready', {}));
    },
    cancel() {
      streams.delete(send);
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

let sent = 0;
function message(event: string, data: object): string {
  sent += 1;
  return `event: ${event}\nid: ${sent}\ndata: ${JSON.stringify(data)}\n\n`;
}
