import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseAccess } from '../../src/db/access.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { databaseFailure } from '../../src/db/failure.ts';
import { connectLookUps, type LookUps, type Reader } from '../../src/db/look-ups.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startTlsPostgres } from '../support/database/tls-postgres.ts';
import { serverAuthority, serverCertificate } from '../support/http/server-certificates.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import {
  expiredCertificate,
  selfSignedCertificate,
  testAuthority,
  trustedCertificate,
} from '../support/webhooks/webhook-certificates.ts';

function fileWith(text: string): string {
  const path = join(createTempDir('authority'), 'ca.pem');
  writeFileSync(path, text);
  return path;
}

const rightCa = fileWith(serverAuthority);
const otherCa = fileWith(testAuthority);
// One server for all tests: those that need another certificate start it again with that.
const server = await startTlsPostgres(serverCertificate);

/** The server's URL by this host and with this query. */
function urlOf(query: string, host = '127.0.0.1'): string {
  const url = new URL(server.url);
  url.hostname = host;
  url.search = query;
  return url.href;
}

function connect(access: DatabaseAccess): Database {
  const database = connectDatabase(access, { applicationName: 'tls', connections: 2 });
  atEnd(() => database.end({ timeout: 0 }));
  return database;
}

function connectNative(access: DatabaseAccess): LookUps {
  const lookUps = connectLookUps(access, { applicationName: 'tls', connections: 2 });
  atEnd(() => lookUps.end({ timeout: 0 }));
  return lookUps;
}

/** Whether the session is encrypted, or why there is none: the same for both clients. */
async function outcomeOf(databaseUrl: string, databaseCa?: string): Promise<string> {
  const outcomes = [connect, connectNative].map((open) => outcomeOfPool(open({ databaseUrl, databaseCa })));
  const [ofDriver, ofNative] = await Promise.all(outcomes);
  expect(ofNative).toBe(ofDriver);
  return ofDriver ?? expect.unreachable();
}

/** Asks twice, so that a try after a failure is the same. */
async function outcomeOfPool(pool: Reader): Promise<string> {
  const ask = () =>
    pool<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.then(
      ([row]) => (row?.ssl === true ? 'encrypted' : 'clear text'),
      (error: unknown) => databaseFailure(error) ?? String(error),
    );
  const [first, ...later] = [await ask(), await ask(), ...(await Promise.all([ask(), ask(), ask()]))];
  expect(new Set(later)).toEqual(new Set([first]));
  return first;
}

describe('a Postgres that demands TLS', () => {
  test('is reached with its authority, by DATABASE_CA or by sslrootcert', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await outcomeOf(urlOf('', host), rightCa)).toBe('encrypted');
      expect(await outcomeOf(urlOf(`sslrootcert=${rightCa}`, host))).toBe('encrypted');
    }
  });

  test.each([
    ['no TLS', '', undefined, 'clear_text_refused'],
    ['sslmode=disable', 'sslmode=disable', undefined, 'clear_text_refused'],
    ['sslmode=require', 'sslmode=require', undefined, 'encrypted'],
    ['sslmode=require and another authority', 'sslmode=require', otherCa, 'certificate_untrusted'],
    ['sslmode=require and its authority', 'sslmode=require', rightCa, 'encrypted'],
    ['sslmode=verify-ca', 'sslmode=verify-ca', rightCa, 'encrypted'],
    ['sslmode=verify-ca and another authority', 'sslmode=verify-ca', otherCa, 'certificate_untrusted'],
    ['sslmode=verify-full', 'sslmode=verify-full', rightCa, 'encrypted'],
    ['sslmode=verify-full without an authority', 'sslmode=verify-full', undefined, 'certificate_untrusted'],
    ['the authorities of the system', 'sslrootcert=system', undefined, 'certificate_untrusted'],
    ['another authority alone', '', otherCa, 'certificate_untrusted'],
  ])('with %s', async (_name, query, databaseCa, outcome) => {
    expect(await outcomeOf(urlOf(query), databaseCa)).toBe(outcome);
  });

  test('refuses a user or database that it has no entry for, and says so although TLS is there', async () => {
    const url = new URL(urlOf('sslmode=require'));
    writeFileSync(
      join(server.clusterDir, 'pg_hba.conf'),
      'hostssl postgres postgres 127.0.0.1/32 scram-sha-256\n',
    );
    const admin = connect({ databaseUrl: url.href });
    await admin`select pg_reload_conf()`;
    url.pathname = '/another';
    await eventually('the new entries', async () => (await outcomeOf(url.href)) === 'not_admitted');
    writeFileSync(join(server.clusterDir, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
    await admin`select pg_reload_conf()`;
    await eventually('the entry for all', async () => (await outcomeOf(url.href)) === 'database_missing');
  });

  test('is migrated over TLS', async () => {
    const databaseUrl = urlOf('');
    await migrate({ databaseUrl, databaseCa: rightCa });
    await expect(migrate({ databaseUrl, databaseCa: otherCa })).rejects.toThrow('certificate');
  });
});

test('a certificate for another host is refused, save by verify-ca', async () => {
  await server.present(trustedCertificate);
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await outcomeOf(urlOf('', host), otherCa)).toBe('certificate_name');
    expect(await outcomeOf(urlOf('sslmode=verify-ca', host), otherCa)).toBe('encrypted');
  }
});

test('a certificate that has expired, and one that nobody signed, have reasons of their own', async () => {
  await server.present(expiredCertificate);
  expect(await outcomeOf(urlOf('sslmode=verify-ca'), otherCa)).toBe('certificate_expired');
  await server.present(selfSignedCertificate);
  expect(await outcomeOf(urlOf('sslmode=verify-ca'), otherCa)).toBe('certificate_untrusted');
});

test('a Postgres without TLS is not used in clear text where TLS is wanted', async () => {
  await server.present(null);
  expect(await outcomeOf(urlOf(''))).toBe('clear text');
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    expect(await outcomeOf(urlOf(`sslmode=${mode}`))).toBe('tls_missing');
});

test('a pool over TLS goes on after its server was away', async () => {
  await server.present(serverCertificate);
  const database = connect({ databaseUrl: server.url, databaseCa: rightCa });
  await database`select 1`;
  await server.stop();
  await eventually('it is away', () =>
    database`select 1`.then(
      () => false,
      () => true,
    ),
  );
  await server.start();
  await eventually('it is back', () =>
    database`select 1`.then(
      () => true,
      () => false,
    ),
  );
});

test('an authority that cannot be read, or is none, is a mistake of the configuration', async () => {
  const databaseUrl = urlOf('');
  expect(() => connect({ databaseUrl, databaseCa: '/nowhere/ca.pem' })).toThrow(
    'DATABASE_CA names a file that cannot be read (ENOENT)',
  );
  const none = fileWith('no certificate');
  expect(() => connect({ databaseUrl, databaseCa: none })).toThrow(
    'DATABASE_CA names a file that holds no certificate',
  );
  expect(() => connect({ databaseUrl: `${databaseUrl}?sslrootcert=${none}` })).toThrow(
    'sslrootcert of DATABASE_URL',
  );
});
