import { createTestKey } from '../../test/support/api/api-keys.ts';
import { type BenchCase, percentileRatio, sized, valuesOf } from '../cases/case.ts';
import { type BenchEnvironment, type BenchServer, createBenchEnvironment } from '../cases/environment.ts';
import { httpVariant } from '../cases/http-variant.ts';
import { wireRequest } from '../load/wire-request.ts';
import { alternate, type Figures } from '../measurement/rounds.ts';
import { median } from '../measurement/statistics.ts';
import { until } from '../measurement/until.ts';
import { startTradedChain } from './traded-chain.ts';

const SWAP = 'createSwap';
const QUOTE = 'getSwapQuote';
const SIMULATION = 'its simulation alone';
const CONNECTIONS = 4;
const RATE_PER_SECOND = { full: 40, quick: 20, shortest: 200 };
const ORDER = { side: 'buy', amountRaw: '1000000', slippageBps: 100 };

/**
 * `createSwap` on a traded pool, beside the one step that it cannot leave out: the simulation of the same bytes by the
 * same node. The chain is a process of its own, at a cluster's pace.
 */
export const swap: BenchCase = async (options) => {
  const { rounds, roundMs, shortest = false, seed = 1 } = options;
  const environment = await createBenchEnvironment();
  try {
    const { chain, facts } = await startTradedChain(environment);
    const api = await environment.startApi({ SOLANA_RPC_URL: facts.rpcUrl });
    const key = await createTestKey(environment.database, { walletAddress: facts.wallet });
    const path = `/api/v2/tokens/${facts.mint}`;
    const simulation = await simulationOf(api, path, key.header);
    const node = { port: Number(new URL(facts.rpcUrl).port), pid: chain.pid };
    const swapRequest = () => {
      sent += 1;
      return wireRequest(
        'POST',
        `${path}/swaps`,
        { ...key.header, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        JSON.stringify(ORDER),
      );
    };
    const quoteBytes = wireRequest('GET', `${path}/quote?side=buy&amountRaw=${ORDER.amountRaw}`, {});
    const ratePerSecond = sized(options, RATE_PER_SECOND);
    const load = {
      connections: CONNECTIONS,
      openLoopConnections: CONNECTIONS,
      roundMs,
      warmsUp: !shortest,
      ratePerSecond,
      seed,
    };
    const before = await preparedSwaps(environment);
    let sent = 0;
    const figures = await alternate(
      [
        httpVariant({ ...load, name: SWAP, server: api, expectedStatus: 201, nextRequest: swapRequest }),
        httpVariant({
          ...load,
          name: SIMULATION,
          server: node,
          expectedStatus: 200,
          nextRequest: () => simulation,
        }),
        httpVariant({
          ...load,
          name: QUOTE,
          server: api,
          expectedStatus: 200,
          nextRequest: () => quoteBytes,
        }),
      ],
      rounds,
    );
    const stored = (await preparedSwaps(environment)) - before;
    if (stored !== sent) throw new Error(`${stored} of ${sent} swaps are stored`);
    return {
      name: `createSwap on a curve; ${CONNECTIONS} connections, fsync on, open loop at ${ratePerSecond}/s`,
      figures,
      ratios: {
        'p50, createSwap / its simulation alone': percentileRatio(figures, SWAP, SIMULATION, 'p50Ms'),
        'p50 of createSwap, ms': p50Of(figures, SWAP),
        'p50 of getSwapQuote, ms': p50Of(figures, QUOTE),
      },
    };
  } finally {
    await environment.close();
  }
};

async function preparedSwaps({ database }: BenchEnvironment): Promise<number> {
  const [{ count } = { count: Number.NaN }] = await database<{ count: number }[]>`
    select count(*)::int as count from transaction_intents`;
  return count;
}

/** Null when a round had too few samples. */
function p50Of(figures: readonly Figures[], variant: string): number | null {
  const isMeasured = percentileRatio(figures, variant, variant, 'p50Ms') !== null;
  return isMeasured ? median(valuesOf(figures, variant, 'p50Ms')) : null;
}

/** The request with which a swap that was prepared is simulated. Waits until the api knows the head of the chain. */
async function simulationOf(
  { port }: BenchServer,
  path: string,
  header: Record<string, string>,
): Promise<Uint8Array> {
  const origin = `http://127.0.0.1:${port}`;
  const post = () =>
    fetch(`${origin}${path}/swaps`, {
      method: 'POST',
      headers: { ...header, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify(ORDER),
    });
  const response = await until(
    'the api knows the head of the chain',
    async () => {
      const answered = await post();
      return answered.status !== 503 && answered;
    },
    { pollMs: 100 },
  );
  if (response.status !== 201) throw new Error(`no swap: ${await response.text()}`);
  const { intentId } = (await response.json()) as { intentId: string };
  const intent = await fetch(`${origin}/api/v2/transaction-intents/${intentId}`, { headers: header });
  const { serializedTransaction } = (await intent.json()) as { serializedTransaction: string };
  const options = {
    encoding: 'base64',
    commitment: 'confirmed',
    sigVerify: false,
    replaceRecentBlockhash: false,
  };
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'simulateTransaction',
    params: [serializedTransaction, options],
  };
  return wireRequest('POST', '/', { 'content-type': 'application/json' }, JSON.stringify(call));
}
