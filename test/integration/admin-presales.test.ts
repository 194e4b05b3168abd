import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { connectDatabase } from '../../src/db/client.ts';
import { type Presale, PresaleSchema } from '../../src/features/presales/schema.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const mint = newAddress();
let url: string;
let folder: string;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  folder = createTempDir('presales');
  const db = connectDatabase(url, { applicationName: 'test', connections: 1 });
  const outbox = createOutbox({ source: 'https://api.test', docsUrl: 'https://api.test' }, systemClock);
  const token = { ...tokenMessage(mint), launchType: 'pre_raise', status: 'pre_raising' } as const;
  await db.begin((transaction) => upsertToken(transaction, outbox, systemClock, token));
  await db.end();
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

function presaleFile(changes: Record<string, unknown> = {}): string {
  const file = join(folder, `${Bun.randomUUIDv7()}.json`);
  const presale = {
    mintAddress: mint,
    allocationsBps: { burn: 1_000, pool: 3_000, sale: 6_000 },
    creatorCommitmentLamports: '0',
    minCapLamports: '50',
    maxCapLamports: '18446744073709551615',
    perWalletCapLamports: '60',
    publicStartAt: inMinutes(1),
    deadline: inMinutes(2),
    ...changes,
  };
  writeFileSync(file, JSON.stringify(presale));
  return file;
}

async function presale(verb: string, ...args: string[]) {
  const { code, output } = await runAdmin(['presale', verb, ...args, '--json'], {
    DATABASE_URL: url,
  });
  return { code, output };
}

async function made(verb: string, ...args: string[]): Promise<Presale> {
  const { code, output } = await presale(verb, ...args);
  expect({ code, output }).toMatchObject({ code: 0 });
  return JSON.parse(output) as Presale;
}

test('presale create makes a draft, and presale publish makes it public, once', async () => {
  const draft = await made('create', '--file', presaleFile());
  expect(Value.Check(PresaleSchema, draft)).toBe(true);
  expect(draft).toMatchObject({ status: 'draft', maxCapLamports: '18446744073709551615' });
  expect(await made('publish', '--yes', '--id', draft.id)).toMatchObject({
    id: draft.id,
    status: 'initializing',
  });
  const again = await presale('publish', '--yes', '--id', draft.id);
  expect(again.code).toBe(1);
  expect(again.output).toContain('is initializing, not a draft');
});

test('presale create takes a status and an id; the same file twice is refused', async () => {
  const id = Bun.randomUUIDv7();
  const file = presaleFile({ id, status: 'initializing' });
  expect(await made('create', '--file', file)).toMatchObject({ id, status: 'initializing' });
  const again = await presale('create', '--file', file);
  expect(again.code).toBe(1);
  expect(again.output).toContain(`presale ${id} exists already`);
});

test.each([
  ['an unknown token', { mintAddress: newAddress() }, 'does not exist'],
  ['an address that is none', { mintAddress: '1'.repeat(40) }, '/mintAddress'],
  ['another status', { status: 'active' }, '/status'],
  ['shares above the whole', { allocationsBps: { burn: 1, pool: 4_000, sale: 6_000 } }, '/allocationsBps'],
  ['a minimum above the maximum', { minCapLamports: '2', maxCapLamports: '1' }, '/minCapLamports'],
  ['an unknown field', { totalDepositedLamports: '9' }, '/totalDepositedLamports'],
  ['a start after the deadline', { publicStartAt: inMinutes(60) }, '/publicStartAt'],
  ['a time that is over', { publicStartAt: inMinutes(-2), deadline: inMinutes(-1) }, 'deadline has passed'],
])('presale create refuses %s with one sentence', async (_what, changes, sentence) => {
  const refused = await presale('create', '--file', presaleFile({ status: 'initializing', ...changes }));
  expect(refused.code).toBe(1);
  expect(refused.output).toContain(sentence);
  expect(refused.output.trim().split('\n')).toHaveLength(1);
});
