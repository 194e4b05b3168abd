import { createTestKey } from '../../test/support/api/api-keys.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import { storeOperation } from '../http/stored-operation.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { wireRequest } from '../load/wire-request.ts';
import { each, type Meter } from './meters.ts';

const CONNECTIONS = { cached: 16, uncached: 4 };
const MINUTE_MS = 60_000;
const CANDLES = 60;
/** Windows begin here: each one is another entry of the cache, and so a read of the database. */
const FIRST_WINDOW_MS = Date.UTC(2026, 0, 1);

/** Reads of a token from the cache, of candles from the database, and of a record by its key. */
export async function measureReads(
  { database }: BenchEnvironment,
  { port }: BenchServer,
  mint: string,
  counts: { cached: number; uncached: number },
  meter: Meter,
): Promise<Record<string, number>> {
  const key = await createTestKey(database);
  const operation = await storeOperation(database, key.accountId);
  const token = `/api/v2/tokens/${mint}`;
  const bytes = Buffer.byteLength(await (await fetch(`http://127.0.0.1:${port}${token}`)).text());
  let window = 0;
  const candles = () => {
    window += 1;
    const fromMs = FIRST_WINDOW_MS + window * MINUTE_MS;
    const [from, to] = [fromMs, fromMs + CANDLES * MINUTE_MS].map((ms) => new Date(ms).toISOString());
    return wireRequest('GET', `${token}/candles?interval=1m&from=${from}&to=${to}`, {});
  };
  const load = (connections: number, requests: number, nextRequest: () => Uint8Array) =>
    closedLoop({ port, connections, requests, expectedStatus: 200, nextRequest });
  const cachedRequest = wireRequest('GET', token, {});
  const keyedRequest = wireRequest('GET', `/api/v2/operations/${operation}`, key.header);
  const { cached, uncached } = counts;
  const ofCached = await meter(() => load(CONNECTIONS.cached, cached, () => cachedRequest));
  const ofUncached = await meter(() => load(CONNECTIONS.uncached, uncached, candles));
  const ofKeyed = await meter(() => load(CONNECTIONS.cached, uncached, () => keyedRequest));
  return {
    readCachedApiUs: each(ofCached.apiMs, cached),
    readCachedBytes: bytes,
    readUncachedApiUs: each(ofUncached.apiMs, uncached),
    readUncachedPostgresUs: each(ofUncached.postgresMs, uncached),
    readKeyedApiUs: each(ofKeyed.apiMs, uncached),
    readKeyedPostgresUs: each(ofKeyed.postgresMs, uncached),
  };
}
