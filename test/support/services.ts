import { join } from 'node:path';
import { startNats } from '../../sandbox/services/nats.ts';
import { startPostgres } from '../../sandbox/services/postgres.ts';
import { removePostgresData } from '../../sandbox/services/postgres-location.ts';
import { startRedis } from '../../sandbox/services/redis.ts';
import { atEnd } from './cleanup.ts';
import { createTempDir } from './temp-dir.ts';

/** The servers that all tests of a run share. test/run.ts starts them and names them in the environment; under a
 * bare `bun test` the first use starts them, and they end with the process. */
export const sharedPostgresUrl = shared('TEST_DATABASE_URL', async () => {
  const dataDir = join(createTempDir('postgres'), 'data');
  const server = await startPostgres({ dataDir, durable: false });
  atEnd(async () => {
    await server.stop();
    await removePostgresData(dataDir);
  });
  return server.url;
});

/** Streams are not isolated here: a test that creates any takes its own server (nats.ts). */
export const sharedNatsUrl = shared('TEST_NATS_URL', async () => {
  const server = await startNats({ storeDir: createTempDir('nats'), durable: false });
  atEnd(() => server.stop());
  return server.url;
});

/** Keys are not isolated here: a test takes a random prefix. */
export const sharedRedisUrl = shared('TEST_REDIS_URL', async () => {
  const server = await startRedis({ dir: createTempDir('redis') });
  atEnd(() => server.stop());
  return server.url;
});

function shared(variable: string, start: () => Promise<string>): () => Promise<string> {
  let url: Promise<string> | undefined;
  return () => {
    const given = process.env[variable];
    url ??= given === undefined || given === '' ? start() : Promise.resolve(given);
    return url;
  };
}
