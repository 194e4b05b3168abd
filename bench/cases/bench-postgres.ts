import { type PostgresServer, startPostgres } from '../../sandbox/services/postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { asAdmin } from '../../test/support/database/admin-connection.ts';
import { withDatabase } from '../../test/support/database/database-url.ts';
import type { Resources } from './resources.ts';

/** Names an empty, migrated database that nobody is connected to: cases take copies of it and start no server. */
export const DATABASE_TEMPLATE_VARIABLE = 'BENCH_DATABASE_TEMPLATE_URL';

/** The server of one case: its `url` names a migrated database. */
export interface BenchPostgres extends Pick<PostgresServer, 'url' | 'port' | 'stop' | 'kill'> {
  /** Another migrated database; returns its URL. */
  createDatabase(name: string): Promise<string>;
}

/** Starts a durable server for one case. If `BENCH_DATABASE_TEMPLATE_URL` is set, copies that database instead. */
export async function startBenchPostgres(resources: Resources, dataDir: string): Promise<BenchPostgres> {
  const templateUrl = process.env[DATABASE_TEMPLATE_VARIABLE] ?? '';
  if (templateUrl !== '') return copyDatabases(resources, templateUrl);
  const server = await resources.start(
    () => startPostgres({ dataDir }),
    (started) => started.stop(),
  );
  await migrate(server.url);
  return {
    ...server,
    async createDatabase(name) {
      await asAdmin(server.url, (admin) => admin`create database ${admin(name)}`);
      const url = withDatabase(server.url, name);
      await migrate(url);
      return url;
    },
  };
}

async function copyDatabases(resources: Resources, templateUrl: string): Promise<BenchPostgres> {
  const prefix = `bench_${crypto.randomUUID().replaceAll('-', '')}`;
  const template = new URL(templateUrl).pathname.slice(1);
  const adminUrl = withDatabase(templateUrl, 'postgres');
  const drop = (name: string) =>
    asAdmin(adminUrl, (admin) => admin`drop database if exists ${admin(name)} with (force)`);
  const copy = (name: string) =>
    resources.start(
      async () => {
        await asAdmin(
          adminUrl,
          (admin) => admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`,
        );
        return withDatabase(adminUrl, name);
      },
      () => drop(name),
    );
  return {
    url: await copy(prefix),
    port: Number(new URL(adminUrl).port),
    createDatabase: (name) => copy(`${prefix}_${name}`),
    stop: () => drop(prefix),
    kill: () => drop(prefix),
  };
}
