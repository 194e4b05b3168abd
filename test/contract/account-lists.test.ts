import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { createOperation } from '../../src/features/operations/create-operation.ts';
import { OperationSchema } from '../../src/features/operations/schema.ts';
import { IntentSummarySchema } from '../../src/intents/schema.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { insertIntent } from '../support/intents/submitted-intent.ts';

let api: TestApi;
let key: TestKey;
let stranger: TestKey;
/** Oldest first. */
const operations: string[] = [];
const intents: string[] = [];

beforeAll(async () => {
  api = await startTestApi();
  const { database } = api.dependencies;
  key = await createTestKey(database);
  stranger = await createTestKey(database);
  for (const owner of [key, stranger]) {
    for (let at = 0; at < 6; at += 1) {
      const kind = at % 3 === 0 ? 'first_kind' : 'second_kind';
      const { accountId } = owner;
      const { id } = await database.begin((transaction) =>
        createOperation(transaction, systemClock, { accountId, kind, input: {} }),
      );
      const now = new Date();
      const status = at % 2 === 0 ? 'prepared' : 'submitted';
      const facts = { status, transaction: new Uint8Array(4), lastValidBlockHeight: null } as const;
      const intentId = await insertIntent(database, accountId, { ...facts, expiresAt: now, now });
      await database`update transaction_intents set kind = ${kind} where id = ${intentId}`;
      if (owner !== key) continue;
      operations.push(id);
      intents.push(intentId);
    }
  }
  await database`
    update operations set status = 'running', started_at = now() where id = ${operations[4] ?? ''}`;
});

interface Page {
  data: { id: string; kind: string; status: string }[];
  page: { hasMore: boolean; nextCursor: string | null };
}

const get = (path: string, owner = key) => fetch(`${api.baseUrl}${path}`, { headers: owner.header });

async function ids(path: string): Promise<string[]> {
  const response = await get(path);
  expect(response.status).toBe(200);
  return ((await response.json()) as Page).data.map(({ id }) => id);
}

describe.each([
  ['/operations', () => operations, OperationSchema],
  ['/transaction-intents', () => intents, IntentSummarySchema],
] as const)('%s', (path, all, schema) => {
  const newest = (...positions: number[]) => positions.map((at) => all()[at]);

  test('lists the records of the account, newest first, each as documented', async () => {
    const { data } = (await (await get(path)).json()) as Page;
    expect(data.map(({ id }) => id)).toEqual(all().toReversed());
    for (const record of data) expect([...Value.Errors(schema, record)]).toEqual([]);
    expect(JSON.stringify(data)).not.toContain('serializedTransaction');
  });

  test('continues after the last record of a page, across kinds and states', async () => {
    const found: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 3; pages += 1) {
      const body = (await (await get(`${path}?limit=2${cursor}`)).json()) as Page;
      found.push(...body.data.map(({ id }) => id));
      expect(body.page.hasMore).toBe(pages < 2);
      cursor = `&cursor=${body.page.nextCursor}`;
    }
    expect(found).toEqual(all().toReversed());
  });

  test('filters by kind, by status and by both', async () => {
    expect(await ids(`${path}?kind=first_kind`)).toEqual(newest(3, 0) as string[]);
    expect(await ids(`${path}?kind=nothing`)).toEqual([]);
    const [status, ofStatus, ofBoth] =
      path === '/operations' ? ['running', [4], [4]] : ['prepared', [4, 2, 0], [4, 2]];
    expect(await ids(`${path}?status=${status}`)).toEqual(newest(...(ofStatus as number[])) as string[]);
    expect(await ids(`${path}?status=${status}&kind=second_kind`)).toEqual(
      newest(...(ofBoth as number[])) as string[],
    );
  });

  test('refuses unknown values, and a cursor of another filter or account', async () => {
    await expectProblem(await get(`${path}?status=gone`), 'validation_failed');
    await expectProblem(await get(`${path}?kind=No`), 'validation_failed');
    const { page } = (await (await get(`${path}?limit=2`)).json()) as Page;
    const moved = `${path}?limit=2&cursor=${page.nextCursor}`;
    await expectProblem(await get(`${moved}&kind=first_kind`), 'cursor_invalid');
    await expectProblem(await get(moved, stranger), 'cursor_invalid');
    const unable = await createTestKey(api.dependencies.database, { scopes: ['webhooks:read'] });
    await expectProblem(await get(path, unable), 'insufficient_scope');
  });
});
