import { describe, expect, test } from 'bun:test';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connectDatabase } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type DatabaseRole, databaseRoles } from '../../src/db/roles.ts';
import { readSchemaVersion, requiredSchemaVersion } from '../../src/db/schema-version.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { INGEST_STREAM } from '../../src/shared/bus/topology.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { setSchemaVersion } from '../support/database/next-schema.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { runBun } from '../support/sandbox/sandbox-process.ts';
import { createTestNats } from '../support/servers/nats.ts';

const environmentOf = (databaseUrl: string, natsUrl: string) => ({
  PORT: '0',
  DATABASE_URL: databaseUrl,
  NATS_URL: natsUrl,
  SOLANA_RPC_URL: 'http://127.0.0.1:9',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  LOG_LEVEL: 'info',
});

async function versionFor(databaseUrl: string, role: DatabaseRole): Promise<number> {
  const pool = connectDatabase(databaseUrl, { applicationName: 'test', connections: 1, role });
  atEnd(() => pool.end({ timeout: 1 }));
  return await readSchemaVersion(pool);
}

describe('a database that the migrations of this release have not reached', () => {
  test.each(['src/api/main.ts', 'src/worker/main.ts', 'relay/main.ts'])(
    'ends %s with one sentence, before it serves or works',
    async (entry) => {
      const { url, sql } = await createTestDatabase();
      await setSchemaVersion(sql, requiredSchemaVersion - 1);
      const { code, output } = await runBun([entry], environmentOf(url, (await createTestNats()).url));
      // By this exit code the supervisor of API_WORKERS knows that another try is useless.
      expect(code).toBe(entry === 'src/api/main.ts' ? 78 : 1);
      expect(output).toContain(
        'whose schema is older than this release: run the migrations of this release first',
      );
      expect(output).not.toMatch(/listening|worker\.started|relay\.ready/);
    },
  );

  test('is migrated by them, even when only the record of a migration is missing', async () => {
    const { url, sql } = await createTestDatabase();
    await sql`comment on table drizzle.__drizzle_migrations is null`;
    expect(await versionFor(url, 'launchwire_api')).toBe(0);
    await migrate(url);
    for (const role of databaseRoles) expect(await versionFor(url, role)).toBe(requiredSchemaVersion);
  });
});

describe('streams of a next release', () => {
  test('keep their subjects when a process of this release starts', async () => {
    const nats = await createTestNats();
    const connection = await connectBus(nats.url, 'test');
    atEnd(() => connection.close());
    await ensureStreams(connection);
    const { streams } = await jetstreamManager(connection);
    const { config } = await streams.info(INGEST_STREAM);
    const next = 'ingest.kind_of_the_next_release';
    await streams.update(INGEST_STREAM, { subjects: [...config.subjects, next] });
    await ensureStreams(connection);
    expect((await streams.info(INGEST_STREAM)).config.subjects).toEqual([...config.subjects, next]);
    expect((await jetstream(connection).publish(next, '{}')).stream).toBe(INGEST_STREAM);
  });
});
