import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { startPostgres } from '../../sandbox/services/postgres.ts';
import { postgresAccount } from '../../sandbox/services/postgres-account.ts';
import { readLocation } from '../../sandbox/services/postgres-location.ts';

/** The two servers that the suite asks for at ports 5432 and 5433. */
export interface SuiteServers {
  ports: readonly [number, number];
  /** Folder of the first server's socket. */
  socketFolder: string;
  stop(): Promise<void>;
}

export interface Certificate {
  cert: string;
  key: string;
}

/**
 * Two servers as the suite's own CI sets them up.
 *
 * @param folder where they keep their files; other accounts may enter it
 * @param hba the suite's rules of access
 */
export async function startSuiteServers(
  folder: string,
  hba: string,
  certificate: Certificate,
): Promise<SuiteServers> {
  const socketFolder = join(folder, 's');
  mkdirSync(socketFolder);
  own(socketFolder);
  const servers = await Promise.all([
    startServer(join(folder, 'first'), hba, certificate, [`unix_socket_directories=${socketFolder}`]),
    startServer(join(folder, 'second'), hba, certificate),
  ]);
  const [first, second] = servers;
  return {
    ports: [first.port, second.port],
    socketFolder,
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

async function startServer(dataDir: string, hba: string, { cert, key }: Certificate, more: string[] = []) {
  mkdirSync(dataDir, { mode: 0o711 });
  const settings = [
    'wal_level=logical',
    'max_wal_senders=10',
    'max_prepared_transactions=100',
    'listen_addresses=localhost',
  ];
  const server = await startPostgres({ dataDir, settings: [...settings, ...more] });
  const folder = readLocation(dataDir)?.clusterDir ?? '';
  for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    own(join(folder, name));
  }
  writeFileSync(join(folder, 'pg_hba.conf'), readFileSync(hba));
  const sql = postgres(server.url, { max: 1 });
  // The suite turns `ssl` off and on by `alter system`, so no setting of the command line may decide it.
  await sql`alter system set ssl = on`;
  await sql`select pg_reload_conf()`;
  await sql.end();
  return server;
}

function own(path: string): void {
  const account = postgresAccount();
  if (account !== undefined) chownSync(path, account.uid, account.gid);
}
