import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Database } from '../../src/db/client.ts';
import { connectDatabase } from '../../src/db/client.ts';
import { tokenStatuses } from '../../src/db/values/tokens.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { checkToken } from '../../src/indexer/ingest/kinds/token.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const outbox = createOutbox({ source: 'https://api.test', docsUrl: 'https://api.test' }, systemClock);
let url: string;
let db: Database;
let folder: string;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  db = connectDatabase(url, { applicationName: 'test', connections: 2 });
  atEnd(() => db.end({ timeout: 1 }));
  folder = createTempDir('tokens');
});

async function upsert(token: object) {
  const file = join(folder, `${Bun.randomUUIDv7()}.json`);
  writeFileSync(file, JSON.stringify(token));
  const args = ['token', 'upsert', '--file', file, '--json'];
  const { code, output } = await runAdmin(args, { DATABASE_URL: url });
  return { code, output: output.trim() };
}

const emoji = '\u{1F680}';

test('the command refuses an invalid token with one sentence that names the field and its limit', async () => {
  const token = tokenMessage(newAddress());
  const pool = newAddress();
  await upsert({ ...tokenMessage(newAddress()), poolAddress: pool });
  for (const [changes, refusal] of [
    [{ name: emoji.repeat(129) }, '/name Expected 1 to 128 characters, not 129'],
    [
      { name: 'a\u202eb' },
      '/name Expected no characters that are invisible or reverse the direction of text',
    ],
    [{ symbol: 'a\nb' }, '/symbol Expected no control characters'],
    [{ description: 'x'.repeat(10_001) }, '/description Expected 0 to 10000 characters, not 10001'],
    [{ poolAddress: pool }, '/poolAddress is the pool of another token'],
  ] as const) {
    const outcome = await upsert({ ...token, ...changes });
    expect(outcome).toEqual({ code: 1, output: `the token is invalid: ${refusal}` });
  }
  const longest = { name: emoji.repeat(128), symbol: emoji.repeat(32), description: emoji.repeat(10_000) };
  expect(await upsert({ ...token, ...longest })).toMatchObject({ code: 0 });
});

test('a mistake that only the command can detect also points to its help', async () => {
  const args = ['token', 'upsert', '--file', join(folder, 'absent.json')];
  const { code, output } = await runAdmin(args, { DATABASE_URL: url });
  expect(code).toBe(2);
  expect(output).toEndWith('cannot be read (ENOENT)\nSee npm run -s admin -- token upsert --help.\n');
});

test('all missing and wrong fields are named at once', async () => {
  expect(await upsert({})).toEqual({
    code: 1,
    output:
      'the token is invalid: /mintAddress, /creatorWallet, /name, /symbol, /decimals, /totalSupply, /launchType and /status are missing',
  });
  const { symbol, creatorWallet, ...token } = tokenMessage(newAddress()) as Record<string, unknown>;
  expect([symbol, creatorWallet]).not.toContain(undefined);
  expect(await upsert({ ...token, decimals: 'six', status: 'live', launchedAt: 7 })).toEqual({
    code: 1,
    output:
      'the token is invalid: /creatorWallet and /symbol are missing; /decimals Expected integer; ' +
      `/status Expected one of ${tokenStatuses.join(', ')}; /launchedAt Expected string`,
  });
});

test('a mistake is reported with the field that has it', () => {
  const token = tokenMessage(newAddress());
  const refusal = (changes: object) => {
    const checked = checkToken({ ...token, ...changes });
    return checked.ok ? null : checked.detail;
  };
  expect(refusal({ name: '' })).toBe('/name Expected 1 to 128 characters, not 0');
  expect(refusal({ symbol: 'x'.repeat(33) })).toBe('/symbol Expected 1 to 32 characters, not 33');
  expect(refusal({ description: 'a\0b' })).toBe('/description Expected no character U+0000');
  expect(refusal({ imageUrl: `https://a.io/${'x'.repeat(2_048)}` })).toStartWith(
    '/imageUrl Expected 0 to 2048',
  );
  expect(refusal({ links: { website: 'x'.repeat(30_000) } })).toStartWith(
    '/links/website Expected 0 to 2048',
  );
  expect(refusal({ links: { website: 5 } })).toBe('/links/website Expected string');
  expect(refusal({ poolAddress: 'short' })).toStartWith('/poolAddress Expected string to match');
  expect(refusal({ decimals: 19 })).toStartWith('/decimals Expected integer to be less or equal to 18');
  expect(refusal({ launchedAt: '0000-01-01T00:00:00Z' })).toStartWith(
    '/launchedAt Expected an existing time',
  );
  expect(refusal({ launchedAt: '9999-12-31T23:59:59-14:00' })).toStartWith(
    '/launchedAt Expected an existing',
  );
});

test('the database accepts every token that passes the check', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'binary-ascii', maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 32 }),
    fc.constantFrom('', '\0', '\ud800', emoji.repeat(33), emoji.repeat(129), 'https://a.io/\0'),
  );
  const optional = fc.option(text);
  const time = fc.constantFrom(
    null,
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59Z',
  );
  const changes = fc.record({
    name: text,
    symbol: text,
    description: optional,
    imageUrl: optional,
    links: fc.option(fc.record({ telegram: optional, twitter: optional, website: optional })),
    decimals: fc.integer({ min: -1, max: 20 }),
    totalSupply: fc.constantFrom('0', '1', `${'9'.repeat(39)}.${'9'.repeat(38)}`, '-1', '01'),
    launchedAt: time,
  });
  let taken = 0;
  const token = tokenMessage(newAddress());
  await fc.assert(
    fc.asyncProperty(changes, async (change) => {
      const checked = checkToken({ ...token, ...change });
      if (!checked.ok) return;
      taken += 1;
      await db.begin((transaction) => upsertToken(transaction, outbox, systemClock, checked.message));
    }),
    { numRuns: 1_000 },
  );
  // Some 38 of them on average.
  expect(taken).toBeGreaterThan(5);
});
