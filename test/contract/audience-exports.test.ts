import { beforeAll, expect, test } from 'bun:test';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { insertRows } from '../support/rows/insert-rows.ts';

const MINT = 'So11111111111111111111111111111111111111112';
const HIDDEN = 'SysvarC1ock11111111111111111111111111111111';

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi({
    adjust(dependencies) {
      const head = { slot: 1_000n, blockHeight: 900n, observedAt: new Date() };
      dependencies.chainHead = { ...dependencies.chainHead, current: () => head };
    },
  });
  const { database } = api.dependencies;
  const token = {
    creatorWallet: MINT,
    name: 'n',
    symbol: 's',
    decimals: 6,
    totalSupply: '1',
    launchType: 'dbc',
    status: 'bonding',
    createdAt: new Date(),
    updatedAt: new Date(),
  };
  await insertRows(database, 'tokens', [
    { ...token, mintAddress: MINT, hidden: false },
    { ...token, mintAddress: HIDDEN, hidden: true },
  ]);
  key = await createTestKey(database);
});

function order(
  body: object | undefined,
  { owner = key, mint = MINT, idempotencyKey = crypto.randomUUID() } = {},
) {
  return fetch(`${api.baseUrl}/tokens/${mint}/audience-exports`, {
    method: 'POST',
    headers: {
      ...owner.header,
      'idempotency-key': idempotencyKey as string,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const inputOf = async (id: string) =>
  (
    await api.dependencies
      .database`select input, due_at is not null as is_due from operations where id = ${id}`
  )[0];

test('an export is queued for the worker, once for one key, and seen by its owner only', async () => {
  const request = { minimumBalanceRaw: '5', top: 10, minSlot: '1150', format: 'ndjson' };
  const idempotencyKey = crypto.randomUUID();
  const response = await order(request, { idempotencyKey });
  expect(response.status).toBe(202);
  const { id, ...operation } = (await response.json()) as Record<string, string>;
  expect(operation).toMatchObject({ kind: 'audience_export', status: 'queued', resultUrl: null });
  expect(response.headers.get('location')).toBe(`/api/v2/operations/${id}`);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await inputOf(id ?? '')).toEqual({ input: { mintAddress: MINT, ...request }, isDue: true });
  const again = await order(request, { idempotencyKey });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(((await again.json()) as { id: string }).id).toBe(id ?? '');
  const stranger = await createTestKey(api.dependencies.database);
  const read = await fetch(`${api.origin}${response.headers.get('location')}`, { headers: stranger.header });
  await expectProblem(read, 'operation_not_found');
});

test('needs no body', async () => {
  const response = await order(undefined);
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as { id: string };
  expect(await inputOf(id)).toMatchObject({ input: { mintAddress: MINT } });
});

test.each([
  [{ top: 0 }, '/body/top'],
  [{ minimumBalanceRaw: '0' }, '/body/minimumBalanceRaw'],
  [{ format: 'xml' }, '/body/format'],
  [{ minSlot: '-1' }, '/body/minSlot'],
  [{ minSlot: '1151' }, '/body/minSlot'],
  [{ atSlot: '7' }, '/body/atSlot'],
])('%p is refused', async (body, path) => {
  const { errors } = await expectProblem(await order(body), 'validation_failed');
  expect((errors as { path: string }[]).map((error) => error.path)).toEqual([path]);
});

test('of a hidden token, or with a key from before, is refused', async () => {
  await expectProblem(await order({}, { mint: HIDDEN }), 'token_not_found');
  const old = await createTestKey(api.dependencies.database, {
    scopes: ['operations:read', 'webhooks:write'],
  });
  await expectProblem(await order({}, { owner: old }), 'insufficient_scope');
});

test('five of an account may be unfinished, however many are requested at once', async () => {
  const owner = await createTestKey(api.dependencies.database);
  const responses = await Promise.all(Array.from({ length: 9 }, () => order({}, { owner })));
  expect(responses.filter(({ status }) => status === 202).length).toBe(5);
  const refused = responses.find(({ status }) => status !== 202) as Response;
  const { context } = await expectProblem(refused, 'operation_limit_reached');
  expect(context).toEqual({ limit: 5 });
  await api.dependencies.database`
    update operations set status = 'cancelled', completed_at = now(), due_at = null
    where id = (select id from operations where account_id = ${owner.accountId} limit 1)`;
  expect((await order({}, { owner })).status).toBe(202);
});
