import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { wait } from '../../src/shared/loop.ts';
import { createTestKey } from '../../test/support/api/api-keys.ts';
import { signBytes } from '../../test/support/trading/traded-market.ts';
import { type BenchCase, sized } from '../cases/case.ts';
import { type BenchEnvironment, createBenchEnvironment } from '../cases/environment.ts';
import { storeLaunched } from '../http/store-launched.ts';
import { openEventStream } from '../load/event-stream.ts';
import { Distributions } from '../measurement/distribution.ts';
import { percentiles } from '../measurement/percentiles.ts';
import type { Figures } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { medians } from '../measurement/statistics.ts';
import type { ChainFacts } from '../servers/chain.ts';
import { subscribeToLandings } from './landings.ts';
import { untilNoOpenWork } from './open-work.ts';
import { storeEndpointOf } from './store-endpoints.ts';
import { epochMs, type Subscribers } from './subscribers.ts';

/** Trades of a round, divided among lanes that each have one at a time; all rounds of a full run together make a p99. */
const TRADES = { full: 200, quick: 40, shortest: 1 };
const LANES = 8;
/** Lanes pause for a random part of a slot, so that trades do not begin together at its start. */
const SLOT_MS = 400;
const FIRST_AMOUNT = 1_000_000;
const READY_ATTEMPTS = 50;
const READY_PAUSE_MS = 100;
const POLL_MS = 20;
/** Ends a hang. */
const SEEN_WITHIN_MS = 30_000;
const CONFIRMED = 'build.service.transaction_intent.confirmed.v1';
const WAY = 'quote → swap → submission → landing → stream → webhook';
const never = new AbortController().signal;

/** Moments of one trade, on the clock of this process. */
interface Moments {
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

/** Steps in the order of the waterfall. The last four begin at the landing, beside each other. */
const STEPS: readonly (readonly [name: string, from: keyof Moments, to: keyof Moments])[] = [
  ['1 quote', 'began', 'quoted'],
  ['2 swap prepared', 'quoted', 'prepared'],
  ['3 signed by the client', 'prepared', 'signed'],
  ['4 submission answered', 'signed', 'submitted'],
  ['5 landed, as the node reports', 'submitted', 'landed'],
  ['6 result at the API (Prefer: wait)', 'landed', 'result'],
  ['6 intent on the stream', 'landed', 'intentStreamed'],
  ['6 trade on the stream', 'landed', 'tradeStreamed'],
  ['6 webhook at the subscriber', 'landed', 'webhook'],
  ['whole: began → webhook', 'began', 'webhook'],
];

/**
 * A whole trade as one waterfall: each step with the moment at which it begins and the time that it takes. The chain has
 * slots of 400 ms, so step 5 is mostly a wait for the next one.
 */
export const way: BenchCase = async (options) => {
  const { rounds, seed = 1, shortest = false } = options;
  const environment = await createBenchEnvironment();
  try {
    const stage = await openStage(environment);
    const random = seededRandom(seed);
    const distributions = new Distributions();
    const trades = sized(options, TRADES);
    if (!shortest) await tradeAll(stage, LANES, random);
    const measured: Moments[][] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await tradeAll(stage, trades, random));
    stage.close();
    const figures = STEPS.map(([name, from, to]): Figures => {
      const perRound = measured.map((moments) => {
        const tookMs = moments.map((of) => Math.max(0, of[to] - of[from]));
        const beginsMs = moments.map((of) => of[from] - of.began);
        distributions.record(WAY, name, tookMs);
        return {
          trades: moments.length,
          ...percentiles(beginsMs, { beginsP50Ms: 0.5 }),
          ...percentiles(tookMs, { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99 }),
        };
      });
      return { name, median: medians(perRound), rounds: perRound };
    });
    const p99 = Object.fromEntries(
      STEPS.map(([name]) => [
        `p99 over all rounds, ${name}, ms`,
        distributions.percentileMs(WAY, name, 0.99),
      ]),
    );
    return {
      name: `one trade as a waterfall: ${WAY}; ${LANES} lanes, slots of ${SLOT_MS} ms`,
      figures,
      ratios: p99,
      distributions: distributions.encode(),
    };
  } finally {
    await environment.close();
  }
};

interface Stage {
  environment: BenchEnvironment;
  subscribers: Subscribers;
  /** Does the steps of a client, up to the result; `amountRaw` makes each trade another transaction. */
  trade(amountRaw: number): Promise<{ intentId: string; signature: string; moments: Moments }>;
  /** When the streams told of them. */
  seen: Seen;
  close(): void;
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

async function openStage(environment: BenchEnvironment): Promise<Stage> {
  const { database } = environment;
  const chain = await environment.startServer('chain.ts');
  const facts = (await (await fetch(`http://127.0.0.1:${chain.port}/facts`)).json()) as ChainFacts;
  const wallet = Keypair.fromSecretKey(Buffer.from(facts.walletKey, 'base64'));
  await storeLaunched(environment, facts);
  const { header, accountId } = await createTestKey(database, { walletAddress: facts.wallet });
  const subscribers = await environment.startSubscribers();
  await storeEndpointOf(database, environment.secretKey, {
    accountId,
    url: `${subscribers.origin}/way`,
    eventTypes: [CONFIRMED],
  });
  const node = { SOLANA_RPC_URL: facts.rpcUrl };
  const api = await environment.startApi(node);
  await environment.startWorker(node);
  await environment.startRelay();
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
  async function call<Body>(
    path: string,
    headers: Record<string, string> = {},
    body?: object,
  ): Promise<Body> {
    const change = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    const init =
      body === undefined
        ? { headers: { ...header, ...headers } }
        : { method: 'POST', headers: { ...header, ...change, ...headers }, body: JSON.stringify(body) };
    const response = await fetch(`${base}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  }
  const token = `/tokens/${facts.mint}`;
  async function trade(amountRaw: number) {
    const began = epochMs();
    const order = { side: 'buy', amountRaw: String(amountRaw), slippageBps: 1_000 };
    await call(`${token}/quote?side=buy&amountRaw=${amountRaw}`);
    const quoted = epochMs();
    const { intent } = await call<{ intent: Intent }>(`${token}/swaps`, {}, order);
    const prepared = epochMs();
    const bytes = signBytes(Buffer.from(intent.serializedTransaction, 'base64'), wallet);
    const signature = bs58.encode(Buffer.from(bytes).subarray(1, 65));
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
      await wait(READY_PAUSE_MS, never);
    }
  }
  return {
    environment,
    subscribers,
    trade,
    seen,
    close() {
      stream.close();
      landings.close();
    },
  };
}

let traded = FIRST_AMOUNT;

/** Trades in lanes; returns the moments of each when its stream messages and its webhook have come. */
async function tradeAll(stage: Stage, trades: number, random: () => number): Promise<Moments[]> {
  const { environment, subscribers, seen } = stage;
  await subscribers.startRecording();
  const before = await subscribers.count();
  const done: Awaited<ReturnType<Stage['trade']>>[] = [];
  let left = trades;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await wait(random() * SLOT_MS, never);
      traded += 1;
      done.push(await stage.trade(traded));
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, trades) }, lane));
  await subscribers.untilCount(before + trades);
  const endsAtMs = performance.now() + SEEN_WITHIN_MS;
  for (;;) {
    const intents = done.filter(({ intentId }) => !seen.intents.has(intentId)).length;
    const missing = done.filter(({ signature }) => !seen.trades.has(signature)).length;
    if (intents + missing === 0) break;
    if (performance.now() > endsAtMs)
      throw new Error(`${intents} intents and ${missing} trades are missing on the stream`);
    await wait(POLL_MS, never);
  }
  const arrivals = await subscribers.arrivals();
  await untilNoOpenWork(environment.database, POLL_MS);
  const events = await environment.database<{ id: string; subject: string }[]>`
    select id::text, subject from events where type = ${CONFIRMED}`;
  const intentOf = new Map(events.map(({ id, subject }) => [id, subject]));
  // A repeated delivery counts by its first arrival.
  const webhooks = new Map(arrivals.reverse().map(({ id, atMs }) => [intentOf.get(id) ?? id, atMs]));
  return done.map(({ intentId, signature, moments }) => ({
    ...moments,
    intentStreamed: seen.intents.get(intentId) ?? Number.NaN,
    tradeStreamed: seen.trades.get(signature) ?? Number.NaN,
    webhook: webhooks.get(intentId) ?? Number.NaN,
  }));
}
