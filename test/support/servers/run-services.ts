import { join } from 'node:path';
import { TcpLink } from '../../../sandbox/services/tcp-link.ts';
import type { ServerKind } from './test-server.ts';
import { startTestServer } from './test-servers.ts';

export interface RunServices {
  /** Variables with the addresses of the servers. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts the servers that a whole test run shares, each in its folder under `folder` or in a container, except
 * those that the environment names already. When one fails, those that did start are stopped again. If `lateMs` is not
 * 0, what they and their clients send each other is late by up to so much.
 */
export async function startRunServices(
  folder: string,
  log: (line: string) => void,
  lateMs = 0,
): Promise<RunServices> {
  const results = await Promise.allSettled([
    service('DATABASE', join(folder, 'postgres'), log, lateMs),
    service('NATS', join(folder, 'nats'), log, lateMs),
    service('REDIS', join(folder, 'redis'), log, lateMs),
  ]);
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => void (await Promise.all(started.map((part) => part.stop())));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) {
    await stop();
    throw failure.reason;
  }
  const environment = Object.fromEntries(started.map((part) => [`TEST_${part.variable}`, part.url]));
  const rpcUrl = process.env.SOLANA_RPC_URL;
  return { environment: rpcUrl ? { ...environment, TEST_SOLANA_RPC_URL: rpcUrl } : environment, stop };
}

async function service(kind: ServerKind, folder: string, log: (line: string) => void, lateMs: number) {
  const variable = `${kind}_URL`;
  const given = process.env[variable];
  const part = given ? { url: given, stop: async () => {} } : await startTestServer(kind, folder, log);
  if (lateMs === 0) return { variable, url: part.url, stop: () => part.stop() };
  const url = new URL(part.url);
  const link = await TcpLink.open(kind, [Number(url.port)]);
  link.set({ mode: 'uneven', upToMs: lateMs });
  url.port = String(link.port);
  const stop = async () => {
    link.close();
    await part.stop();
  };
  return { variable, url: url.href, stop };
}
