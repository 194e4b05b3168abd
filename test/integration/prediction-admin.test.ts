import { beforeAll, describe, expect, test } from 'bun:test';
import { sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import bs58 from 'bs58';
import { PredictionRoundSchema } from '../../src/features/predictions/rounds/schema.ts';
import { ed25519PrivateKey } from '../../src/shared/ed25519-private-key.ts';
import { expectProblem } from '../support/api/problems.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import {
  createPredictionStage,
  MINUTE_MS,
  type PredictionStage,
} from '../support/predictions/prediction-stage.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

/** The point of order 1: any message verifies under it. */
const SMALL_ORDER_WALLET = bs58.encode(Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0)));
const DONE = 0;
const REFUSED = 1;
const USAGE = 2;

let stage: PredictionStage;
let mint: string;

beforeAll(async () => {
  stage = await createPredictionStage();
  mint = await stage.launch();
});

const admin = (...args: string[]) => runAdmin([...args, '--json'], { DATABASE_URL: stage.api.database.url });

async function done(...args: string[]): Promise<Record<string, string>> {
  const { code, output } = await admin(...args);
  expect(code).toBe(DONE);
  return JSON.parse(output) as Record<string, string>;
}

const time = (minutes: number) => stage.fromNow(minutes).toISOString();

function roundOptions(changes: Record<string, string> = {}): string[] {
  const options = {
    mint,
    'opens-at': time(0),
    'locks-at': time(10),
    'settles-at': time(20),
    'minimum-balance-raw': '100',
    'prize-pool-lamports': '1000',
    ...changes,
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
}

describe('round create', () => {
  test('stores a scheduled round and prints it as clients read it', async () => {
    const round = await done('round', 'create', ...roundOptions(), '--requires-delegated-intent');
    expect(Value.Check(PredictionRoundSchema, round)).toBe(true);
    expect(round).toMatchObject({
      status: 'scheduled',
      requiresDelegatedIntent: true,
      minimumBalanceRaw: '100',
    });
    expect(await (await stage.get(`/tokens/${mint}/prediction-rounds/${round.id}`)).json()).toEqual(round);
  });

  test.each<[string, number, Record<string, string>]>([
    ['an unknown token', REFUSED, { mint: newAddress() }],
    ['a lock before the opening', REFUSED, { 'locks-at': time0(-1) }],
    ['a settlement before the lock', REFUSED, { 'settles-at': time0(5) }],
    ['something that is no address', USAGE, { mint: 'x' }],
    ['something that is no time', USAGE, { 'opens-at': 'tomorrow' }],
    ['a fraction of a base unit', USAGE, { 'minimum-balance-raw': '1.5' }],
    ['more than 64 bits', USAGE, { 'prize-pool-lamports': (2n ** 64n).toString() }],
  ])('refuses %s', async (_what, code, changes) => {
    expect((await admin('round', 'create', ...roundOptions(changes))).code).toBe(code);
  });
});

/** Before the stage exists: the clock of the tests starts at the present. */
function time0(minutes: number): string {
  return new Date(Date.now() + minutes * MINUTE_MS).toISOString();
}

test('round void: once, and never a round that is unknown', async () => {
  const { id = '' } = await done('round', 'create', ...roundOptions());
  expect(await done('round', 'void', '--yes', '--id', id)).toMatchObject({ id, status: 'voided' });
  expect((await admin('round', 'void', '--yes', '--id', id)).code).toBe(REFUSED);
  expect((await admin('round', 'void', '--yes', '--id', crypto.randomUUID())).code).toBe(REFUSED);
  expect((await admin('round', 'void', '--yes', '--id', 'x')).code).toBe(USAGE);
});

test('wallet upsert: keeps what is left out, and refuses wallets and names that cannot be trusted', async () => {
  const address = newAddress();
  const upsert = (...args: string[]) => done('wallet', 'upsert', '--address', address, ...args);
  expect(await upsert()).toEqual({ address, username: null, verified: false } as never);
  expect(await upsert('--username', 'Ada')).toEqual({ address, username: 'Ada', verified: false } as never);
  expect(await upsert('--verified', 'true')).toEqual({ address, username: 'Ada', verified: true } as never);
  expect(await upsert('--verified', 'false')).toEqual({ address, username: 'Ada', verified: false } as never);
  const refusal = async (...args: string[]) => (await admin('wallet', 'upsert', ...args)).code;
  expect(await refusal('--address', SMALL_ORDER_WALLET)).toBe(REFUSED);
  expect(await refusal('--address', 'x')).toBe(USAGE);
  for (const name of ['', 'a'.repeat(65), 'a\nb']) {
    expect(await refusal('--address', address, '--username', name)).toBe(USAGE);
  }
  expect(await refusal('--address', address, '--verified', 'yes')).toBe(USAGE);
});

describe('a delegated intent', () => {
  test('is prepared, signed, stored, and lets the account predict', async () => {
    const round = await done('round', 'create', ...roundOptions(), '--requires-delegated-intent');
    const member = await stage.member();
    stage.give(member, mint, 100n);
    await stage.work();
    const terms = {
      account: member.key.accountId,
      round: round.id ?? '',
      price: '0.5',
      wallet: member.address,
    };
    const prepare = (changes: Partial<typeof terms> = {}) =>
      admin(
        'prediction-intent',
        'prepare',
        ...Object.entries({ ...terms, ...changes }).flatMap(([name, value]) => [`--${name}`, value]),
      );
    const { code, output } = await prepare();
    expect(code).toBe(DONE);
    const prepared = JSON.parse(output) as { text: string; expiresAt: string };
    expect(prepared.expiresAt).toBe(round.locksAt ?? '');
    const privateKey = ed25519PrivateKey(member.wallet.secretKey.subarray(0, 32));
    const signature = bs58.encode(sign(null, Buffer.from(prepared.text, 'utf8'), privateKey));
    await expectProblem(await stage.predict(member, round.id ?? '', '0.5'), 'prediction_intent_not_found');

    const folder = createTempDir('intent');
    const file = join(folder, 'intent.json');
    writeFileSync(file, output);
    const store = (path: string, text: string) =>
      admin('prediction-intent', 'store', '--file', path, '--signature', text);
    expect((await store(file, 'abc')).code).toBe(USAGE);
    expect((await store(join(folder, 'absent.json'), signature)).code).toBe(USAGE);
    const altered = join(folder, 'altered.json');
    writeFileSync(altered, JSON.stringify({ ...prepared, predictedPriceInSol: '0.6' }));
    expect((await store(altered, signature)).code).toBe(REFUSED);
    writeFileSync(altered, JSON.stringify({ ...prepared, more: 1 }));
    expect((await store(altered, signature)).code).toBe(USAGE);
    expect((await store(file, signature)).code).toBe(DONE);
    expect((await store(file, signature)).code).toBe(REFUSED);
    expect((await stage.predict(member, round.id ?? '', '0.5')).status).toBe(201);

    expect((await prepare({ wallet: SMALL_ORDER_WALLET })).code).toBe(REFUSED);
    expect((await prepare({ price: '0' })).code).toBe(USAGE);
    expect((await prepare({ round: crypto.randomUUID() })).code).toBe(REFUSED);
    expect((await prepare({ account: crypto.randomUUID() })).code).toBe(REFUSED);
  });
});
