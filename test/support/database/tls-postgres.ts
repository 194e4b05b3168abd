import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';

export interface Certificate {
  cert: string;
  key: string;
}

/** A Postgres that takes encrypted connections over TCP only. */
export interface TlsPostgres extends OwnPostgres {
  /** Restarts the server with this certificate, or without TLS for null. */
  present(certificate: Certificate | null): Promise<void>;
}

export async function startTlsPostgres(certificate: Certificate): Promise<TlsPostgres> {
  const server = await startOwnPostgres();
  const { uid, gid } = statSync(server.clusterDir);
  const write = (name: string, text: string) => {
    const path = join(server.clusterDir, name);
    writeFileSync(path, text, { mode: 0o600 });
    chownSync(path, uid, gid);
  };
  const present = async (shown: Certificate | null) => {
    await server.stop();
    write('pg_hba.conf', `${shown === null ? 'host' : 'hostssl'} all all 127.0.0.1/32 scram-sha-256\n`);
    write('postgresql.auto.conf', `ssl = ${shown === null ? 'off' : 'on'}\n`);
    if (shown !== null) {
      write('server.crt', shown.cert);
      write('server.key', shown.key);
    }
    await server.start();
  };
  await present(certificate);
  return { ...server, present };
}
