import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import type { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import { checkToken } from '../../src/indexer/ingest/kinds/token.ts';
import type { TransactionIntent } from '../../src/intents/schema.ts';
import { expectProblem } from '../support/api/problems.ts';
import { unsignedTransfer } from '../support/intents/intent-transactions.ts';
import { fundedWallet, insertAccount } from '../support/intents/submitted-intent.ts';
import {
  createTestServiceKey,
  post,
  startTestInternalApi,
  type TestInternalApi,
  type TestServiceKey,
} from '../support/internal/internal-api.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { atEnd } from '../support/run/cleanup.ts';

let chain: SandboxChain;
let api: TestInternalApi;
let key: TestServiceKey;
let wallet: Keypair;
let accountId: string;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  api = await startTestInternalApi({ environment: { SOLANA_RPC_URL: chain.rpcUrl } });
  key = await createTestServiceKey(api.owner);
  wallet = await fundedWallet(chain.rpcUrl);
  accountId = await insertAccount(api.owner);
});

function request(changes: Record<string, unknown> = {}, payer = wallet) {
  const blockhash = chain.ledger.ring.hashOf(chain.ledger.slot);
  const transaction = unsignedTransfer(payer.publicKey, { blockhash });
  return {
    accountId,
    kind: 'token_transfer',
    expectedSigner: wallet.publicKey.toBase58(),
    transaction: Buffer.from(transaction).toString('base64'),
    ...changes,
  };
}

const json = async <Body>(response: Promise<Response>, status: number): Promise<Body> => {
  const answer = await response;
  const text = await answer.text();
  expect(`${answer.status} ${text}`).toStartWith(`${status} `);
  return JSON.parse(text) as Body;
};

const eventsOf = (subject: string) => api.owner<{ type: string; accountId: string; body: string }[]>`
  select type, account_id, body from events where subject = ${subject} order by created_at, id`;

async function newToken(changes: Record<string, unknown> = {}): Promise<string> {
  const token = { ...tokenMessage(newAddress()), launchType: 'dbc', status: 'bonding', ...changes };
  await json(post(api, key, '/tokens', token), 200);
  return token.mintAddress;
}

describe('preparing an intent', () => {
  test('stores it, sends its account one event, and repeats its response', async () => {
    const body = request({ policy: { requireSimulation: true }, expiresInSeconds: 60 });
    const idempotencyKey = crypto.randomUUID();
    const sent = Array.from({ length: 8 }, () =>
      post(api, key, '/transaction-intents', body, idempotencyKey),
    );
    const responses = await Promise.all(sent);
    const done = responses.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(0);
    for (const response of responses.filter(({ status }) => status !== 201))
      await expectProblem(response, 'idempotency_request_in_progress');
    const intent = await json<TransactionIntent>(
      post(api, key, '/transaction-intents', body, idempotencyKey),
      201,
    );
    for (const response of done) expect(await response.json()).toEqual(intent);
    expect(intent).toMatchObject({ status: 'prepared', version: 1, serializedTransaction: body.transaction });
    expect(BigInt(intent.lastValidBlockHeight ?? '0')).toBeGreaterThan(0n);
    const events = await eventsOf(intent.id);
    expect(events.map(({ type }) => type)).toEqual(['build.service.transaction_intent.prepared.v1']);
    expect(events[0]?.accountId).toBe(accountId);
    const { data } = JSON.parse(events[0]?.body ?? '{}') as { data: object };
    expect(Value.Check(documentedEvents['transaction_intent.prepared'].schema, data)).toBe(true);
    const { serializedTransaction: _, ...announced } = intent;
    expect(data).toEqual(announced);
  });

  test('refuses a transaction that could not be submitted, an unknown account, and invalid base64', async () => {
    const stranger = newAddress();
    for (const [changes, path] of [
      [{ expectedSigner: stranger }, '/body/transaction'],
      [{ accountId: crypto.randomUUID() }, '/body/accountId'],
      [{ transaction: 'AQAB=' }, '/body/transaction'],
    ] as const) {
      const response = await post(api, key, '/transaction-intents', request(changes));
      const { errors } = await expectProblem(response, 'validation_failed');
      expect(errors?.map((error) => error.path)).toEqual([path]);
    }
    expect((await api.owner`select from transaction_intents where expected_signer = ${stranger}`).count).toBe(
      0,
    );
  });

  test('may be repeated with the same key when no node responded', async () => {
    const away = await startTestInternalApi({ database: api.database });
    const body = request({ policy: { requireSimulation: true } });
    const idempotencyKey = crypto.randomUUID();
    const first = await post(away, key, '/transaction-intents', body, idempotencyKey);
    await expectProblem(first, 'api_dependency_unavailable');
    await json(post(api, key, '/transaction-intents', body, idempotencyKey), 201);
  });
});

describe('a batch of preparations', () => {
  interface Batch {
    results: {
      intent: TransactionIntent | null;
      error: { code: string; field: string; detail: string } | null;
    }[];
  }

  test('gives each its outcome in order, and is stored once', async () => {
    const preparations = [
      request(),
      request({ accountId: crypto.randomUUID() }),
      request({ expectedSigner: newAddress() }),
      request(),
    ];
    const idempotencyKey = crypto.randomUUID();
    const path = '/transaction-intents/batches';
    const batch = await json<Batch>(post(api, key, path, { preparations }, idempotencyKey), 200);
    expect(batch.results.map(({ error }) => error?.field ?? null)).toEqual([
      null,
      '/accountId',
      '/transaction',
      null,
    ]);
    const ids = batch.results.flatMap(({ intent }) => intent?.id ?? []);
    expect(new Set(ids).size).toBe(2);
    expect(await json<Batch>(post(api, key, path, { preparations }, idempotencyKey), 200)).toEqual(batch);
    for (const id of ids) expect((await eventsOf(id)).length).toBe(1);
  });

  test('prepares a message once, and returns its intent when the message comes again', async () => {
    const path = '/transaction-intents/batches';
    const twice = request();
    const { results } = await json<Batch>(
      post(api, key, path, { preparations: [twice, request(), twice] }),
      200,
    );
    const [first, , second] = results;
    expect(results.map(({ intent }) => intent !== null)).toEqual([true, true, false]);
    const detail = `intent ${first?.intent?.id} has this message already`;
    expect(second?.error).toEqual({ code: 'validation_failed', field: '/transaction', detail });
    const again = await post(api, key, '/transaction-intents', twice);
    expect((await expectProblem(again, 'validation_failed')).detail).toBe(detail);
  });

  test('takes 100 and no more', async () => {
    const path = '/transaction-intents/batches';
    const preparations = Array.from({ length: 100 }, () => request({ lastValidBlockHeight: '1000000' }));
    const { results } = await json<Batch>(post(api, key, path, { preparations }), 200);
    expect(results.filter(({ intent }) => intent !== null).length).toBe(100);
    const more = await post(api, key, path, { preparations: [...preparations, request()] });
    await expectProblem(more, 'validation_failed');
  });

  test('that breaks off before its commit leaves nothing, and its key is free', async () => {
    const own = await insertAccount(api.owner);
    const body = { preparations: [request({ accountId: own }), request({ accountId: own })] };
    const idempotencyKey = crypto.randomUUID();
    const path = '/transaction-intents/batches';
    // The last statement of the transaction fails, as after a crash between two statements.
    await api.owner.unsafe('alter table service_responses add constraint broken check (false) not valid');
    try {
      await expectProblem(await post(api, key, path, body, idempotencyKey), 'internal_error');
    } finally {
      await api.owner.unsafe('alter table service_responses drop constraint broken');
    }
    const stored = async () =>
      (await api.owner`select from transaction_intents where account_id = ${own}`).count;
    expect(await stored()).toBe(0);
    expect((await api.owner`select from events where account_id = ${own}`).count).toBe(0);
    await json(post(api, key, path, body, idempotencyKey), 200);
    expect(await stored()).toBe(2);
  });

  test('reports for each item that no node responded', async () => {
    const away = await startTestInternalApi({ database: api.database });
    const preparations = [request({ policy: { requireSimulation: true } })];
    const { results } = await json<Batch>(
      post(away, key, '/transaction-intents/batches', { preparations }),
      200,
    );
    expect(results[0]?.error?.code).toBe('api_dependency_unavailable');
  });
});

test('tokens are created once, changed, hidden and shown', async () => {
  const token = {
    ...tokenMessage(newAddress()),
    launchType: 'dbc',
    status: 'bonding',
    poolAddress: newAddress(),
  };
  // With a pool, the chain reports the launch.
  const first = await json(post(api, key, '/tokens', token), 200);
  expect(first).toEqual({ mintAddress: token.mintAddress, created: true, events: [] });
  const again = await json(post(api, key, '/tokens', { ...token, name: 'Renamed' }), 200);
  expect(again).toEqual({ mintAddress: token.mintAddress, created: false, events: [] });
  const path = `/tokens/${token.mintAddress}/visibility`;
  for (const hidden of [true, false]) {
    expect(await json(post(api, key, path, { hidden }), 200)).toMatchObject({ hidden });
    const [row] = await api.owner`select hidden, name from tokens where mint_address = ${token.mintAddress}`;
    expect(row).toEqual({ hidden, name: 'Renamed' });
  }
  const taken = await post(api, key, '/tokens', { ...token, mintAddress: newAddress() });
  expect((await expectProblem(taken, 'validation_failed')).errors?.[0]?.path).toBe('/body/poolAddress');
  const long = await post(api, key, '/tokens', { ...token, name: 'x'.repeat(129) });
  expect((await expectProblem(long, 'validation_failed')).errors?.[0]?.path).toBe('/body/name');
  await expectProblem(
    await post(api, key, `/tokens/${newAddress()}/visibility`, { hidden: true }),
    'token_not_found',
  );
});

test('a text with hidden characters is refused in every operation', async () => {
  const token = tokenMessage(newAddress());
  for (const hidden of ['\u202e', '\u200b', '\u{e0041}', '\u3164']) {
    const text = `a${hidden}b`;
    for (const field of ['name', 'symbol', 'description']) {
      const refused = await post(api, key, '/tokens', { ...token, [field]: text });
      expect((await expectProblem(refused, 'validation_failed')).errors).toMatchObject([
        { path: `/body/${field}`, message: expect.stringContaining('invisible') },
      ]);
      expect(checkToken({ ...token, [field]: text })).toMatchObject({ ok: false });
    }
    const wallet = await post(api, key, '/wallets', { address: newAddress(), username: text });
    expect((await expectProblem(wallet, 'validation_failed')).errors).toMatchObject([
      { path: '/body/username' },
    ]);
  }
  const seen = { name: '❤️ Копейка', description: 'one\n\ttwo 👩‍🚀', symbol: '🚀' };
  const images = { 'http://CDN.dev/a.png': 'https://cdn.dev/a.png', 'https://10.0.0.7/a.png': null };
  for (const [imageUrl, published] of Object.entries(images)) {
    await json(post(api, key, '/tokens', { ...token, ...seen, imageUrl }), 200);
    const [row] = await api.owner`
      select name, description, symbol, image_url from tokens where mint_address = ${token.mintAddress}`;
    expect(row).toEqual({ ...seen, imageUrl: published });
  }
});

test('wallets are set one by one or all together, in the order of the request', async () => {
  const [one, other] = [newAddress(), newAddress()];
  expect(await json(post(api, key, '/wallets', { address: one, verified: true }), 200)).toEqual({
    address: one,
    username: null,
    verified: true,
  });
  const wallets = [
    { address: other },
    { address: one, username: 'ada' },
    { address: other, username: 'bob' },
  ];
  expect(await json(post(api, key, '/wallets/batches', { wallets }), 200)).toEqual({
    wallets: [
      { address: other, username: null, verified: false },
      { address: one, username: 'ada', verified: true },
      { address: other, username: 'bob', verified: false },
    ],
  });
  const refused = [{ address: one, username: 'changed' }, { address: '1'.repeat(32) }];
  const { errors } = await expectProblem(
    await post(api, key, '/wallets/batches', { wallets: refused }),
    'validation_failed',
  );
  expect(errors?.[0]?.path).toBe('/body/wallets/1/address');
  const [row] = await api.owner`select username from wallets where address = ${one}`;
  expect(row).toEqual({ username: 'ada' });
});

test('rounds are created and voided once', async () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const plan = {
    mintAddress: await newToken({ predictionsEnabled: true }),
    opensAt: at(1),
    locksAt: at(2),
    settlesAt: at(3),
    minimumBalanceRaw: '0',
    prizePoolLamports: '1',
  };
  const round = await json<{ id: string }>(post(api, key, '/prediction-rounds', plan), 201);
  expect(round).toMatchObject({ status: 'scheduled', requiresDelegatedIntent: false, participantCount: 0 });
  for (const [changes, path] of [
    [{ locksAt: at(5) }, '/body/locksAt'],
    [{ mintAddress: newAddress() }, '/body/mintAddress'],
    [{ prizePoolLamports: (2n ** 64n).toString() }, '/body/prizePoolLamports'],
  ] as const) {
    const response = await post(api, key, '/prediction-rounds', { ...plan, ...changes });
    expect((await expectProblem(response, 'validation_failed')).errors?.[0]?.path).toBe(path);
  }
  const voidings = `/prediction-rounds/${round.id}/voidings`;
  expect(await json(post(api, key, voidings), 200)).toMatchObject({ status: 'voided' });
  await expectProblem(await post(api, key, voidings), 'internal_state_conflict');
  expect((await eventsOf(round.id)).length).toBe(1);
  const unknown = `/prediction-rounds/${crypto.randomUUID()}/voidings`;
  await expectProblem(await post(api, key, unknown), 'prediction_round_not_found');
});

test('presales are created once by their id, and published once', async () => {
  const plan = {
    id: crypto.randomUUID(),
    mintAddress: await newToken(),
    allocationsBps: { burn: 0, pool: 5_000, sale: 5_000 },
    creatorCommitmentLamports: '0',
    minCapLamports: '1',
    maxCapLamports: '10',
    perWalletCapLamports: '5',
    publicStartAt: new Date(Date.now() + 60_000).toISOString(),
    deadline: new Date(Date.now() + 120_000).toISOString(),
  };
  expect(await json(post(api, key, '/presales', plan), 201)).toMatchObject({ id: plan.id, status: 'draft' });
  await expectProblem(await post(api, key, '/presales', plan), 'internal_state_conflict');
  const over = { ...plan, id: crypto.randomUUID(), minCapLamports: '11' };
  const { errors } = await expectProblem(await post(api, key, '/presales', over), 'validation_failed');
  expect(errors?.[0]?.path).toBe('/body/minCapLamports');
  const publications = `/presales/${plan.id}/publications`;
  expect(await json(post(api, key, publications), 200)).toMatchObject({ status: 'initializing' });
  await expectProblem(await post(api, key, publications), 'internal_state_conflict');
  const unknown = `/presales/${crypto.randomUUID()}/publications`;
  await expectProblem(await post(api, key, unknown), 'presale_not_found');
});

describe('operations', () => {
  const create = (kind: string, input?: object) =>
    json<{ id: string; status: string }>(post(api, key, '/operations', { accountId, kind, input }), 201);

  test('of other kinds run by their creator: progress, then one end', async () => {
    const { id } = await create('token_import');
    const progress = { completed: 1, total: 2, unit: 'tokens' };
    const running = await json(post(api, key, `/operations/${id}/progress`, progress), 200);
    expect(running).toMatchObject({ status: 'running', progress });
    const beyond = await post(api, key, `/operations/${id}/progress`, { completed: 3, total: 2 });
    await expectProblem(beyond, 'validation_failed');
    const plain = await post(api, key, `/operations/${id}/successes`, { resultUrl: 'http://a.example' });
    await expectProblem(plain, 'validation_failed');
    for (const unfit of ['https://user:secret@a.example/1', 'https://a.example/\u202e1']) {
      const refused = await post(api, key, `/operations/${id}/successes`, { resultUrl: unfit });
      await expectProblem(refused, 'validation_failed');
    }
    const resultUrl = 'https://a.example/1';
    const ended = await json(post(api, key, `/operations/${id}/successes`, { resultUrl }), 200);
    expect(ended).toMatchObject({ status: 'succeeded', resultUrl });
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['build.service.operation.succeeded.v1']);
    const late = await post(api, key, `/operations/${id}/failures`, { code: 'internal_error' });
    await expectProblem(late, 'internal_state_conflict');
  });

  test('fail with a problem code', async () => {
    const { id } = await create('token_import', { file: 'a' });
    const failed = await json(
      post(api, key, `/operations/${id}/failures`, { code: 'token_not_found', detail: 'No such token.' }),
      200,
    );
    expect(failed).toMatchObject({
      error: { code: 'token_not_found', status: 404, detail: 'No such token.' },
    });
    const later = await create('token_import', { file: 'b' });
    const unavailable = post(api, key, `/operations/${later.id}/failures`, { code: 'chain_unavailable' });
    expect(await json(unavailable, 200)).toMatchObject({ error: { code: 'chain_unavailable', status: 503 } });
  });

  test('of the worker are cancelled and nothing else', async () => {
    const input = { mintAddress: newAddress() };
    const { id } = await create('audience_export', input);
    const progress = await post(api, key, `/operations/${id}/progress`, { completed: 0, total: 1 });
    await expectProblem(progress, 'internal_state_conflict');
    const cancelled = await json(post(api, key, `/operations/${id}/cancellations`), 200);
    expect(cancelled).toMatchObject({ status: 'cancelled', cancelRequested: false });
    const other = await create('delivery_replay', { endpointId: crypto.randomUUID(), status: 'dead_letter' });
    await json(post(api, key, `/operations/${other.id}/cancellations`), 200);
    const running = await create('audience_export', input);
    await api.owner`update operations set status = 'running', started_at = now() where id = ${running.id}`;
    const requested = await json(post(api, key, `/operations/${running.id}/cancellations`), 200);
    expect(requested).toMatchObject({ status: 'running', cancelRequested: true });
  });

  test('need an account, a known input, and to exist', async () => {
    const foreign = { accountId: crypto.randomUUID(), kind: 'token_import' };
    await expectProblem(await post(api, key, '/operations', foreign), 'validation_failed');
    const wrong = { accountId, kind: 'audience_export', input: { mintAddress: 'x' } };
    const { errors } = await expectProblem(await post(api, key, '/operations', wrong), 'validation_failed');
    expect(errors?.[0]?.path).toBe('/body/input');
    const unknown = `/operations/${crypto.randomUUID()}/cancellations`;
    await expectProblem(await post(api, key, unknown), 'operation_not_found');
  });
});
