import { beforeEach } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { type ClientOptions, createClient } from 'launchwire';
import { startTestApi, type TestApi } from '../api/api.ts';
import { createTestKey, type TestKey } from '../api/api-keys.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

export interface FaultyApi {
  api: TestApi;
  /** Its faults and requests are cleared before each test. */
  proxy: FaultyProxy;
  wallet: Keypair;
  /** A key of the wallet. Each test gets a new key of a new account. */
  key: TestKey;
  /** A client with that key, whose calls go through the proxy. */
  clientOf(options?: Partial<ClientOptions>): ReturnType<typeof createClient>;
}

/** The real api with a proxy that spoils its responses. A file starts it before its first test. */
export async function startFaultyApi(environment: Record<string, string> = {}): Promise<FaultyApi> {
  const api = await startTestApi({ environment });
  const proxy = await startFaultyProxy(api.origin);
  const wallet = Keypair.generate();
  const newKey = () =>
    createTestKey(api.dependencies.database, { walletAddress: wallet.publicKey.toBase58() });
  const stage: FaultyApi = {
    api,
    proxy,
    wallet,
    key: await newKey(),
    clientOf: (options = {}) =>
      createClient({ baseUrl: proxy.origin, apiKey: stage.key.text, baseDelayMs: 1, ...options }),
  };
  beforeEach(async () => {
    stage.key = await newKey();
    proxy.requests.length = 0;
    proxy.faults.length = 0;
  });
  return stage;
}

/** The body of a problem, for a fault of the proxy. */
export function problemBody(code: string, status: number): string {
  return JSON.stringify({
    type: '',
    title: '',
    status,
    detail: 'no',
    instance: '/',
    code,
    requestId: 'req_0',
  });
}
