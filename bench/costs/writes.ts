import { createTestKey } from '../../test/support/api/api-keys.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import type { IntentSource } from '../http/prepared-intents.ts';
import { readIntents } from '../http/prepared-intents.ts';
import { startTradedChain } from '../http/traded-chain.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { wireRequest } from '../load/wire-request.ts';
import { startCountingNode } from '../measurement/counting-node.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import { postmasterOf, serverCpuMs } from '../measurement/server-cpu.ts';
import { until } from '../measurement/until.ts';
import { untilNoOpenWork } from '../pipeline/open-work.ts';
import { each, type Meter, type MeterOf, meterOf } from './meters.ts';

const CONNECTIONS = 8;
const SWAP_CONNECTIONS = 2;
const POLL_MS = 20;
const FIRST_AMOUNT = 1_000_000;

/** Submissions of prepared intents, until each is confirmed, its landing read, and its events published. */
export async function measureSubmissions(
  { database }: BenchEnvironment,
  api: BenchServer,
  source: IntentSource,
  count: number,
  meter: Meter,
): Promise<Record<string, number>> {
  const intents = await source.prepare(count);
  await readIntents(
    api.port,
    source.key.header,
    intents.map(({ request }) => request),
  );
  const requests = intents.map(({ request: { path, headers, body } }) =>
    wireRequest('POST', path, headers, body),
  );
  const taken = await meter(async () => {
    await closedLoop({
      port: api.port,
      connections: CONNECTIONS,
      expectedStatus: 202,
      nextRequest: () => requests.pop(),
    });
    const hasEnded = async () => {
      const open = await database`select from transaction_intents where status = 'submitted' limit 1`;
      return open.count === 0;
    };
    await until('every submission has ended', hasEnded, { pollMs: POLL_MS });
    await untilNoOpenWork(database, POLL_MS);
  });
  return {
    submissionApiUs: each(taken.apiMs, count),
    submissionWorkerUs: each(taken.workerMs, count),
    submissionRelayUs: each(taken.relayMs, count),
    submissionPostgresUs: each(taken.postgresMs, count),
    submissionNatsUs: each(taken.natsMs, count),
    submissionWalBytes: taken.walBytes / count,
    submissionKeptBytes: taken.keptBytes / count,
    submissionNodeCalls: taken.nodeCalls / count,
  };
}

export interface SwapStage {
  /**
   * Makes swaps that do not count, until their code is compiled, and then measures what the api uses while it is idle.
   */
  warm(count: number, idleMs: number): Promise<void>;
  measure(count: number): Promise<Record<string, number>>;
  stop(): void;
}

/** An api of its own beside a chain with one pool: `createSwap` needs a node that simulates. */
export async function openSwapStage(environment: BenchEnvironment): Promise<SwapStage> {
  const { facts } = await startTradedChain(environment);
  const node = startCountingNode(facts.rpcUrl);
  const api = await environment.startApi({ SOLANA_RPC_URL: node.url });
  const key = await createTestKey(environment.database, { walletAddress: facts.wallet });
  const postmaster = await postmasterOf(environment.database);
  const path = `/api/v2/tokens/${facts.mint}/swaps`;
  const headers = () => ({
    ...key.header,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  });
  let amount = FIRST_AMOUNT;
  // The api simulates each swap, as it does for a wallet that has made none within seconds.
  const body = () => {
    amount += 1;
    return JSON.stringify({ side: 'buy', amountRaw: String(amount), slippageBps: 100, simulate: true });
  };
  const swap = (count: number) =>
    closedLoop({
      port: api.port,
      connections: SWAP_CONNECTIONS,
      requests: count,
      expectedStatus: 201,
      nextRequest: () => wireRequest('POST', path, headers(), body()),
    });
  const read = async () => ({
    apiMs: processCpuMs(api.pid),
    postgresMs: postmaster === null ? 0 : serverCpuMs(postmaster),
    calls: node.count(),
  });
  await untilTradable(() =>
    fetch(`http://127.0.0.1:${api.port}${path}`, { method: 'POST', headers: headers(), body: body() }),
  );
  let meter: MeterOf<Awaited<ReturnType<typeof read>>> | undefined;
  return {
    async warm(count, idleMs) {
      await swap(count);
      ({ meter } = await meterOf(read, ['apiMs'], idleMs));
    },
    async measure(count) {
      if (meter === undefined) throw new Error('swaps are measured before they are warm');
      const { apiMs, postgresMs, calls } = await meter(() => swap(count));
      return {
        swapApiUs: each(apiMs, count),
        swapPostgresUs: each(postgresMs, count),
        swapNodeCalls: calls / count,
      };
    },
    stop: () => node.stop(),
  };
}

/** The api refuses swaps until it knows the head of the chain. */
async function untilTradable(post: () => Promise<Response>): Promise<void> {
  const isTradable = async () => {
    const response = await post();
    const text = await response.text();
    if (response.status !== 201 && response.status !== 503) throw new Error(`no swap: ${text}`);
    return response.status === 201;
  };
  await until('the api knows the head of the chain', isTradable, { pollMs: 100 });
}
