import { appendFileSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';

/** A Postgres that takes encrypted connections over TCP only, with this certificate. */
export async function startTlsPostgres({ cert, key }: { cert: string; key: string }): Promise<OwnPostgres> {
  const server = await startOwnPostgres();
  await server.stop();
  const { uid, gid } = statSync(server.clusterDir);
  const within = (name: string) => join(server.clusterDir, name);
  const files = { 'server.crt': cert, 'server.key': key };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(within(name), text, { mode: 0o600 });
    chownSync(within(name), uid, gid);
  }
  writeFileSync(within('pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  appendFileSync(within('postgresql.auto.conf'), 'ssl = on\n');
  await server.start();
  return server;
}
