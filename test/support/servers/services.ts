import { join } from 'node:path';
import { silent } from '../../../sandbox/services/log.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTempDir } from '../run/temp-dir.ts';
import type { ServerKind } from './test-server.ts';
import { startTestServer } from './test-servers.ts';

/** The servers that all tests of a run share. test/run.ts starts them and names them in the environment; under a
 * bare `bun test` the first use starts them, and they end with the process. */
export const sharedPostgresUrl = shared('DATABASE');

/** Streams are not isolated here. A test that creates streams needs its own server (nats.ts). */
export const sharedNatsUrl = shared('NATS');

/** Keys are not isolated here. A test needs a random prefix. */
export const sharedRedisUrl = shared('REDIS');

function shared(kind: ServerKind): () => Promise<string> {
  let url: Promise<string> | undefined;
  return () => {
    const given = process.env[`TEST_${kind}_URL`];
    url ??= given === undefined || given === '' ? start(kind) : Promise.resolve(given);
    return url;
  };
}

async function start(kind: ServerKind): Promise<string> {
  const server = await startTestServer(kind, join(createTempDir(kind.toLowerCase()), 'server'), silent);
  atEnd(() => server.stop());
  return server.url;
}
