import { Keypair } from '@solana/web3.js';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { createTestKey } from '../../test/support/api/api-keys.ts';
import { signBytes } from '../../test/support/trading/traded-market.ts';
import type { BenchEnvironment, BenchServer, ObservedServer } from '../cases/environment.ts';
import { epochMs, type Subscribers } from '../cases/subscribers.ts';
import { startTradedChain } from '../http/traded-chain.ts';
import { openEventStream } from '../load/event-stream.ts';
import { finishAll } from '../measurement/finish-all.ts';
import { callApi } from './call-api.ts';
import { subscribeToLandings } from './landings.ts';
import { storeEndpointOf } from './store-endpoints.ts';

const FIRST_AMOUNT = 1_000_000;
const READY_ATTEMPTS = 50;
const READY_PAUSE_MS = 100;
export const CONFIRMED = 'build.service.transaction_intent.confirmed.v1';

/** Moments of one trade, on the clock of this process. */
export interface Moments {
  began: number;
  quoted: number;
  prepared: number;
  signed: number;
  submitted: number;
  /** The node reports the signature as confirmed, to a client of its own. */
  landed: number;
  result: number;
  intentStreamed: number;
  tradeStreamed: number;
  webhook: number;
}

export interface TradingStage {
  api: ObservedServer;
  worker: BenchServer;
  relay: BenchServer;
  chain: BenchServer;
  mint: string;
  environment: BenchEnvironment;
  subscribers: Subscribers;
  /** Does the steps of a client up to the result. No two trades have the same amount. */
  trade(): Promise<StagedTrade>;
  /** When the stream sent confirmed intents, by their id, and trades, by their signature. */
  seen: Seen;
  close(): void;
}

export interface StagedTrade {
  intentId: string;
  signature: string;
  moments: Moments;
}

interface Seen {
  intents: Map<string, number>;
  trades: Map<string, number>;
}

interface Intent {
  id: string;
  status: string;
  version: number;
  serializedTransaction: string;
}

/**
 * The product beside a chain with one traded pool, one wallet with a key, a stream of its intents and of the pool's trades,
 * and a subscriber of its landings.
 */
export async function openTradingStage(
  environment: BenchEnvironment,
  variables: Readonly<Record<string, string>> = {},
): Promise<TradingStage> {
  const { database } = environment;
  const { chain, facts } = await startTradedChain(environment);
  const wallet = Keypair.fromSecretKey(Buffer.from(facts.walletKey, 'base64'));
  const { header, accountId } = await createTestKey(database, { walletAddress: facts.wallet });
  const subscribers = await environment.startSubscribers();
  await storeEndpointOf(database, environment.secretKey, {
    accountId,
    url: `${subscribers.origin}/way`,
    eventTypes: [CONFIRMED],
  });
  const node = { SOLANA_RPC_URL: facts.rpcUrl };
  const [api, worker, relay] = await finishAll([
    environment.startApi({ ...node, ...variables }),
    environment.startWorker(node),
    environment.startRelay(),
  ]);
  const landings = await subscribeToLandings(facts.rpcUrl);
  const seen: Seen = { intents: new Map(), trades: new Map() };
  const base = `http://127.0.0.1:${api.port}/api/v2`;
  const stream = await openEventStream(
    `${base}/stream?topics=intents,trades:${facts.mint}`,
    header,
    (name, message) => {
      const atMs = epochMs();
      if (name !== 'intent' && name !== 'trade') return;
      const {
        id = '',
        status,
        transactionSignature = '',
      } = (message as { data: Record<string, string> }).data;
      // A landing that becomes final is streamed as well: the first message counts.
      if (status === 'confirmed' && !seen.intents.has(id)) seen.intents.set(id, atMs);
      if (name === 'trade') seen.trades.set(transactionSignature, atMs);
    },
  );
  const call = <Body>(path: string, headers?: Record<string, string>, body?: object) =>
    callApi<Body>({ base, header }, { path, headers, body });
  const token = `/tokens/${facts.mint}`;
  let amountRaw = FIRST_AMOUNT;
  async function trade(): Promise<StagedTrade> {
    amountRaw += 1;
    const began = epochMs();
    const amount = String(amountRaw);
    const order = { side: 'buy', amountRaw: amount, slippageBps: 1_000 };
    await call(`${token}/quote?side=buy&amountRaw=${amount}`);
    const quoted = epochMs();
    const { intent } = await call<{ intent: Intent }>(`${token}/swaps`, {}, order);
    const prepared = epochMs();
    const bytes = signBytes(Buffer.from(intent.serializedTransaction, 'base64'), wallet);
    const signature = encodeBase58(Buffer.from(bytes).subarray(1, 65));
    const body = { signedTransaction: Buffer.from(bytes).toString('base64') };
    const signed = epochMs();
    const landing = landings.of(signature).then(epochMs);
    // A failure of the submission comes first.
    landing.catch(() => {});
    let latest = await call<Intent>(
      `/transaction-intents/${intent.id}/submissions`,
      { 'if-match': `"${intent.version}"` },
      body,
    );
    const submitted = epochMs();
    while (latest.status === 'submitted')
      latest = await call<Intent>(`/transaction-intents/${intent.id}`, {
        prefer: 'wait=25',
        'if-none-match': `"${latest.version}"`,
      });
    if (latest.status !== 'confirmed') throw new Error(`the trade is ${latest.status}`);
    const result = epochMs();
    const unseen = { intentStreamed: Number.NaN, tradeStreamed: Number.NaN, webhook: Number.NaN };
    const landed = await landing;
    const moments = { began, quoted, prepared, signed, submitted, landed, result, ...unseen };
    return { intentId: intent.id, signature, moments };
  }
  // The api waits for the head of its chain first.
  for (let attempt = 1; ; attempt += 1) {
    try {
      await call(`${token}/swaps`, {}, { side: 'buy', amountRaw: String(FIRST_AMOUNT), slippageBps: 1_000 });
      break;
    } catch (error) {
      if (attempt === READY_ATTEMPTS) throw error;
      await Bun.sleep(READY_PAUSE_MS);
    }
  }
  return {
    environment,
    api,
    worker,
    relay,
    chain,
    mint: facts.mint,
    subscribers,
    trade,
    seen,
    close() {
      stream.close();
      landings.close();
    },
  };
}
