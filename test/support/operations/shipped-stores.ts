import { join, relative } from 'node:path';
import postgres from 'postgres';
import { startChild } from '../../../sandbox/services/child-process.ts';
import { freePort } from '../../../sandbox/services/free-port.ts';
import { startNats } from '../../../sandbox/services/nats.ts';
import { startPostgres } from '../../../sandbox/services/postgres.ts';
import { removePostgresData } from '../../../sandbox/services/postgres-location.ts';
import { responds } from '../../../sandbox/services/tcp-probe.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTempDir } from '../run/temp-dir.ts';
import type { PostgresTools } from './postgres-tools.ts';

const OPS = new URL('../../../ops/', import.meta.url).pathname;

/** Starts a new server with the owner `launchwire` and an empty database, like the image in
 * `compose.yaml`. */
export async function startOwnersPostgres(
  { binaries }: PostgresTools,
  password: string,
): Promise<{ port: number; superuserUrl: string; stop: () => Promise<void> }> {
  const dataDir = createTempDir('stores-postgres');
  const server = await startPostgres({ dataDir, durable: false, binaries });
  atEnd(async () => {
    await server.stop();
    await removePostgresData(dataDir);
  });
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  await sql.unsafe(`create role launchwire login superuser password '${password}'`);
  await sql.unsafe('create database launchwire owner launchwire');
  await sql.end();
  return { port: server.port, superuserUrl: server.url, stop: () => server.stop() };
}

/** @param environment the passwords for `ops/nats/users.conf` */
export async function startShippedNats(environment: Record<string, string>, port?: number): Promise<number> {
  const storeDir = join(createTempDir('stores-nats'), 'store');
  const include = `include ${JSON.stringify(relative(storeDir, join(OPS, 'nats/users.conf')))}`;
  const settings = { storeDir, durable: false, settings: [include], environment };
  const server = await startNats(port === undefined ? settings : { ...settings, port });
  atEnd(() => server.stop());
  return server.port;
}

export async function startShippedRedis(password: string, given?: number): Promise<number> {
  const port = given ?? (await freePort());
  const child = await startChild({
    name: 'redis-server',
    command: 'sh',
    args: [join(OPS, 'redis/start.sh'), '--bind', '127.0.0.1', '--port', String(port)],
    cwd: createTempDir('stores-redis'),
    env: { PATH: process.env.PATH, REDIS_PASSWORD: password },
    ready: () => responds(port, 'PING\r\n', /^-NOAUTH/),
  });
  atEnd(async () => void (await child.stop()));
  return port;
}
