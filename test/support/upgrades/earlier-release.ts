import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../../sandbox/services/command.ts';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import type { Database } from '../../../src/db/client.ts';
import { scopes } from '../../../src/shared/scopes.ts';
import { asAdmin } from '../database/admin-connection.ts';
import { createTestDatabase } from '../database/database.ts';
import { withDatabase } from '../database/database-url.ts';
import { atEnd } from '../run/cleanup.ts';
import { bareEnvironment } from '../run/runtime-variables.ts';
import { createTempDir } from '../run/temp-dir.ts';

/** The release that an upgrade begins with and a downgrade leads to. */
export interface EarlierRelease {
  /** Its sources. If unset, those of this release. */
  root?: string;
  /** A database that it has migrated. */
  databaseUrl: string;
}

/**
 * The release of the git reference in UPGRADE_FROM, with its own schema. If it is unset, the sources of this release: its
 * processes then work on the schema of a next release, so that a clone without a history tests the order too.
 */
export async function earlierRelease(): Promise<EarlierRelease> {
  const { url, sql } = await createTestDatabase();
  const reference = process.env.UPGRADE_FROM;
  if (reference === undefined) return { databaseUrl: url };
  const root = await unpack(reference);
  const name = `earlier_${crypto.randomUUID().replaceAll('-', '')}`;
  await sql.unsafe(`create database ${name}`);
  atEnd(() => asAdmin(url, (admin) => admin.unsafe(`drop database if exists ${name} with (force)`)));
  const databaseUrl = withDatabase(url, name);
  await run(process.execPath, ['src/db/main.ts'], root, { DATABASE_URL: databaseUrl });
  return { root, databaseUrl };
}

/** The scopes that keys may have before the migrations of this release: an earlier one refuses those that came later. */
export async function acceptedScopes(sql: Database): Promise<string[]> {
  const [constraint] = await sql<{ text: string }[]>`
    select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'api_keys_scopes'`;
  return scopes.filter((scope) => constraint?.text.includes(`'${scope}'`));
}

async function unpack(reference: string): Promise<string> {
  const root = createTempDir('earlier');
  const archive = join(root, 'sources.tar');
  await run('git', ['archive', '--output', archive, reference], PROJECT_ROOT);
  await run('tar', ['--extract', '--file', archive], root);
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  environment: Record<string, string> = {},
): Promise<void> {
  const { succeeded, output } = await runCommand(command, args, {
    cwd,
    env: { ...bareEnvironment(), ...environment },
  });
  if (!succeeded) throw new Error(`${command} ${args.join(' ')}: ${output}`);
}
