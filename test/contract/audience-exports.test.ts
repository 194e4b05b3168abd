import { beforeAll, expect, test } from 'bun:test';
import { publishedLimits } from '../../src/shared/contract-limits.ts';
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
  const request = { minimumBalanceRaw: '5', top: 10, minSlot: '1300', format: 'ndjson' };
  const idempotencyKey = crypto.randomUUID();
  const response = await order(request, { idempotencyKey });
  expect(response.status).toBe(202);
  const { id, ...operation } = (await response.json()) as Record<string, string>;
  expect(operation).toMatchObject({ kind: 'audience_export', status: 'queued', resultUrl: null });
  expect(response.headers.get('location')).toBe(`/api/v2/operations/${id}`);
  expect(response.headers.get('retry-after')).toBe(String(publishedLimits.pollingRetryAfterSeconds));
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
  [{ minSlot: '1301' }, '/body/minSlot'],
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
  const responses = await Promise.all(
    Array.from({ length: 9 }, (_, at) => order({ top: at + 1 }, { owner })),
  );
  expect(responses.filter(({ status }) => status === 202).length).toBe(5);
  const refused = responses.find(({ status }) => status !== 202) as Response;
  const { context } = await expectProblem(refused, 'operation_limit_reached');
  expect(context).toEqual({ limit: 5 });
  await api.dependencies.database`
    update operations set status = 'cancelled', completed_at = now(), due_at = null
    where id = (select id from operations where account_id = ${owner.accountId} limit 1)`;
  expect((await order({ top: 10 }, { owner })).status).toBe(202);
});

/** Ends an export as the worker does, with a file of this many bytes. */
async function succeed(id: string, byteLength: bigint): Promise<void> {
  const { database } = api.dependencies;
  await database`
    update operations set status = 'succeeded', started_at = now(), completed_at = now(), due_at = null where id = ${id}`;
  await insertRows(database, 'operation_results', [
    { operationId: id, contentType: 'text/csv', fileName: 'f.csv', byteLength, expiresAt: inHours(168) },
  ]);
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const idOf = async (response: Response) => {
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
};

test('a repeated request within a moment returns the first operation, whether queued or with its file', async () => {
  const owner = await createTestKey(api.dependencies.database);
  const atOnce = await Promise.all(Array.from({ length: 9 }, () => order({}, { owner })));
  const [id = '', ...others] = new Set(await Promise.all(atOnce.map(idOf)));
  expect(others).toEqual([]);
  // The same request with its defaults written out.
  const written = { minimumBalanceRaw: '1', minSlot: '0', format: 'csv' };
  expect(await idOf(await order(written, { owner }))).toBe(id);
  await succeed(id, 10n);
  const reused = await order({}, { owner });
  expect(reused.headers.get('idempotent-replayed')).toBeNull();
  expect(reused.headers.get('location')).toBe(`/api/v2/operations/${id}`);
  expect(await reused.json()).toMatchObject({ id, status: 'succeeded', resultUrl: expect.any(String) });
});

test('a request gets a new operation when the earlier one differs, is another account’s, failed, was cancelled, lost its file or is older', async () => {
  const { database } = api.dependencies;
  const owner = await createTestKey(database);
  const id = await idOf(await order({}, { owner }));
  for (const body of [{ top: 7 }, { minimumBalanceRaw: '2' }, { minSlot: '5' }, { format: 'ndjson' }])
    expect(await idOf(await order(body, { owner }))).not.toBe(id);
  expect(await idOf(await order({}, { owner: await createTestKey(database) }))).not.toBe(id);
  await database`
    update operations set status = 'cancelled', completed_at = now(), due_at = null
    where account_id = ${owner.accountId} and id <> ${id}`;
  const isReplaced = async (change: (id: string) => Promise<unknown>) => {
    const before = await idOf(await order({}, { owner }));
    await change(before);
    const after = await idOf(await order({}, { owner }));
    await database`delete from operation_results where operation_id = ${after}`;
    return before !== after;
  };
  const end =
    (status: string, code: string | null = null) =>
    (ended: string) =>
      database`
    update operations set status = ${status}, error_code = ${code}, started_at = now(), completed_at = now(), due_at = null
    where id = ${ended}`;
  expect(await isReplaced(end('failed', 'internal_error'))).toBe(true);
  expect(await isReplaced(end('cancelled'))).toBe(true);
  expect(await isReplaced(end('succeeded'))).toBe(true);
  const asked = (running: string) => database`
    update operations set cancel_requested_at = now() where id = ${running}`;
  expect(await isReplaced(asked)).toBe(true);
  const aged = (queued: string) => database`
    update operations set id = overlay(id::text placing '00000000' from 1 for 8)::uuid where id = ${queued}`;
  expect(await isReplaced(aged)).toBe(true);
});

test('the files of an account are bounded in size: beyond the bound an export is refused until the oldest file goes', async () => {
  const { database } = api.dependencies;
  const owner = await createTestKey(database);
  const first = await idOf(await order({ top: 1 }, { owner }));
  await succeed(first, 2_147_483_648n - 2n * 65_536n);
  // However small, each file counts as 64 KiB.
  const second = await idOf(await order({ top: 2 }, { owner }));
  await succeed(second, 1n);
  const third = await idOf(await order({ top: 3 }, { owner }));
  await succeed(third, 0n);
  const { context } = await expectProblem(await order({ top: 4 }, { owner }), 'operation_limit_reached');
  expect(context).toEqual({
    keptBytes: '2147483648',
    keptBytesMax: '2147483648',
    freeAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  // Existing files are still found, and no other account is refused.
  expect(await idOf(await order({ top: 3 }, { owner }))).toBe(third);
  await idOf(await order({ top: 4 }, { owner: await createTestKey(database) }));
  await database`delete from operation_results where operation_id = ${second}`;
  await idOf(await order({ top: 4 }, { owner }));
});
