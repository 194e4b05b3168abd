import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { connectLookUps, type LookUps, type Reader } from '../../src/db/look-ups.ts';
import { pooledPlans } from '../../src/db/session-settings.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { atEnd } from '../support/run/cleanup.ts';

let driver: Database;
let native: LookUps;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const options = {
    applicationName: 'equality',
    connections: 2,
    role: 'launchwire_api',
    limits: databaseLimits['look-up'],
    ...pooledPlans.launchwire_api,
  } as const;
  driver = connectDatabase(url, options);
  native = connectLookUps(url, options);
  atEnd(async () => void (await Promise.all([driver, native].map((pool) => pool.end({ timeout: 0 })))));
});

/** Runs a statement through both; returns what one of them returns, once both are equal in value and class. */
async function both(statement: (db: Reader) => PromiseLike<readonly object[]>): Promise<object[]> {
  const [theirs, ours] = await Promise.all([statement(driver), statement(native)]);
  expect(ours.map(described)).toEqual(theirs.map(described));
  return [...ours];
}

const described = (row: object) =>
  Object.entries(row).map(([name, value]) => [name, value?.constructor?.name ?? null, value]);

const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''));
const bytes = fc.uint8Array({ maxLength: 64 });
const int8 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const time = fc.date({ min: new Date('0100-01-01'), max: new Date('9000-01-01'), noInvalidDate: true });
const or = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
// The driver cannot rename a key that ends with an underscore.
const json = fc
  .jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom('a', 'B', '_b', 'é', '"', ' ', '1') })
  .filter((value) => !JSON.stringify(value).includes('_"'));

describe('both clients return the same for', () => {
  test('parameters and columns of every type of a look-up', async () => {
    const values = fc.record({
      text: or(text),
      bytes: or(bytes),
      int4: or(fc.integer()),
      int8: or(int8),
      // The driver sends -0 as 0.
      float8: or(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
      bool: or(fc.boolean()),
      uuid: or(fc.uuid()),
      time: or(time),
      json: or(json),
      numeric: or(fc.tuple(int8, fc.nat(1_000_000)).map(([whole, part]) => `${whole}.${part}`)),
    });
    await fc.assert(
      fc.asyncProperty(values, async (one) => {
        const written = JSON.stringify(one.json);
        await both(
          (db) => db`
            select ${one.text}::text as a_text, ${one.bytes}::bytea as some_bytes, ${one.int4}::int4 as an_int4,
              ${one.int8}::int8 as an_int8, ${one.float8}::float8 as a_float8, ${one.bool}::bool as a_bool,
              ${one.uuid}::uuid as a_uuid, ${one.time}::timestamptz as a_time,
              ${written}::text::jsonb as some_json, ${one.numeric}::numeric as a_numeric,
              (${one.int4}::int4 % 30000)::int2 as an_int2, ${one.time}::timestamptz::date as a_date`,
        );
      }),
      { numRuns: 200 },
    );
  });

  test('arrays', async () => {
    const items = fc.record({
      texts: fc.array(text.filter((value) => value !== 'NULL')),
      numbers: fc.array(fc.integer()),
      large: fc.array(int8),
      halves: fc.array(fc.integer({ min: -999, max: 999 }).map((number) => number / 2)),
    });
    await fc.assert(
      fc.asyncProperty(items, async ({ texts, numbers, large, halves }) => {
        await both(
          (db) => db`
            select array(select jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb)) as texts,
              array(select jsonb_array_elements_text(${JSON.stringify(numbers)}::text::jsonb)::int4) as numbers,
              array(select jsonb_array_elements_text(${JSON.stringify(large.map(String))}::text::jsonb)::int8) as large,
              array(select jsonb_array_elements_text(${JSON.stringify(halves)}::text::jsonb)::float4) as halves`,
        );
      }),
      { numRuns: 100 },
    );
  });

  test('nested parts, names, no rows and many rows', async () => {
    await both((db) => {
      const isSmall = (column: string) => db`${db(column)} < ${3}::int4`;
      return db`select series_number from generate_series(1, 9) as series_number where ${isSmall('series_number')}`;
    });
    expect(await both((db) => db`select 1 as one where ${false}::bool`)).toEqual([]);
    expect(
      await both((db) => db`select n, n::text as text_of from generate_series(1, 2000) as n`),
    ).toHaveLength(2_000);
  });

  test('the settings of their sessions', async () => {
    await both(
      (db) => db`
        select name, setting, current_user as is_role from pg_settings
        where name in ('application_name', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
          'jit', 'random_page_cost', 'plan_cache_mode', 'enable_seqscan', 'max_parallel_workers_per_gather',
          'tcp_keepalives_idle', 'tcp_user_timeout', 'client_connection_check_interval', 'TimeZone', 'DateStyle',
          'client_encoding', 'search_path') order by name`,
    );
  });

  test('errors of the server', async () => {
    for (const statement of [
      (db: Reader) => db`select 1 / ${0}::int4`,
      (db: Reader) => db`select ${'no'}::uuid`,
      (db: Reader) => db`select missing from accounts`,
      (db: Reader) => db`select`.then(() => db`nonsense`),
      (db: Reader) => db`insert into accounts (id) values (${null})`,
    ]) {
      const [theirs, ours] = await Promise.all(
        [driver, native].map((db) => statement(db as Reader).then(() => 'none', fieldsOf)),
      );
      expect(ours).toEqual(theirs);
      expect(ours).toHaveProperty('code');
    }
  });
});

/** Without the place in the server's sources, and fields that are empty in one of both. */
function fieldsOf(error: unknown) {
  const { name, message, code, severity, routine } = error as Error & Record<string, unknown>;
  return { name, message, code, severity, routine };
}
