import { createTestKey } from '../../test/support/api/api-keys.ts';
import { eventually } from '../../test/support/run/eventually.ts';
import type { BenchCase } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { storeOperation } from '../http/stored-operation.ts';
import { type LoadConnection, openConnection } from '../load/connection.ts';
import { wireRequest } from '../load/wire-request.ts';
import { totalOf } from './long-run.ts';
import { residentMb } from './resident-size.ts';

const REQUESTS = { full: 10_000, quick: 1_000, shortest: 100 };
/** Waits of one account. */
const PER_ACCOUNT = 1_000;
const OPENED_AT_ONCE = 100;
/** 10,000 within 5 s. */
const SENT_EVERY_MS = 50;
const MEASURED_MS_MAX = 20_000;

/**
 * Resident size of the api while many requests wait for a change, each on a connection and for an operation of its own.
 */
export const waitingMemory: BenchCase = async (options) => {
  const count = totalOf(options, REQUESTS);
  const environment = await createBenchEnvironment();
  const connections: LoadConnection[] = [];
  try {
    const { database } = environment;
    const requests: Uint8Array[] = [];
    while (requests.length < count) {
      const key = await createTestKey(database);
      for (let at = 0; at < Math.min(PER_ACCOUNT, count); at += 1) {
        const operation = await storeOperation(database, key.accountId);
        const headers = { ...key.header, accept: 'application/json', prefer: 'wait=25' };
        requests.push(wireRequest('GET', `/api/v2/operations/${operation}`, headers));
      }
    }
    const api = await environment.startApi();
    const idleMb = residentMb(api.pid).nowMb;
    const onFailure = (error: Error) => {
      throw error;
    };
    const onResponse = () => {};
    while (connections.length < count) {
      const opened = Array.from({ length: OPENED_AT_ONCE }, () =>
        openConnection(api.port, { onResponse, onFailure }),
      );
      connections.push(...(await Promise.all(opened)));
    }
    const connectedMb = residentMb(api.pid).nowMb;
    // Requests are sent over time, because the figure is that of waiting requests and not of ten thousand reads at once.
    for (let sent = 0; sent < count; await Bun.sleep(SENT_EVERY_MS)) {
      for (const end = sent + OPENED_AT_ONCE; sent < end; sent += 1)
        connections[sent]?.send(requests[sent] ?? new Uint8Array());
    }
    await eventually(
      'all requests wait',
      async () => (await waitingOf(api.metricsPort)) === count,
      MEASURED_MS_MAX,
    );
    const { nowMb, peakMb } = residentMb(api.pid);
    const figures = [
      { name: 'idle', value: { residentMb: idleMb } },
      { name: 'connected', value: { residentMb: connectedMb } },
      { name: 'waiting', value: { residentMb: nowMb, peakMb } },
    ];
    return {
      name: `resident size of the api while ${count.toLocaleString('en')} requests wait`,
      figures: figures.map(({ name, value }) => ({ name, median: value, rounds: [value] })),
      ratios: {
        'growth while all wait, MB': nowMb - idleMb,
        'growth beyond their connections, MB': nowMb - connectedMb,
      },
    };
  } finally {
    for (const connection of connections) connection.end();
    await environment.close();
  }
};

async function waitingOf(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^launchwire_http_waiting_requests (\d+)$/m.exec(text)?.[1]);
}
