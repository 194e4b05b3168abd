import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { createOperation } from '../../src/features/operations/create-operation.ts';
import { endOperation, type OperationEnd } from '../../src/features/operations/end-operation.ts';
import { lockOperation } from '../../src/features/operations/find-operation.ts';
import { deleteExpiredResults, insertChunk } from '../../src/features/operations/results/rows.ts';
import { endManually, reportProgress } from '../../src/features/operations/run-manually.ts';
import { OperationSchema } from '../../src/features/operations/schema.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { createTestClock, type TestClock } from '../support/run/clock.ts';

const HOUR_MS = 60 * 60 * 1000;
const PIECES = [65_537, 262_144, 1];

let api: TestApi;
let key: TestKey;
let clock: TestClock;

beforeAll(async () => {
  clock = createTestClock(new Date());
  api = await startTestApi({
    adjust(dependencies) {
      dependencies.clock = clock;
      dependencies.results.clock = clock;
    },
  });
  key = await createTestKey(api.dependencies.database);
});

const context = () => ({ outbox: api.dependencies.outbox, clock, links: api.dependencies.operationLinks });

async function create(kind = 'platform_work'): Promise<string> {
  const { database } = api.dependencies;
  const { accountId } = key;
  const { id } = await database.begin((transaction) =>
    createOperation(transaction, clock, { accountId, kind, input: {} }),
  );
  return id;
}

async function get(id: string): Promise<Response> {
  return fetch(`${api.baseUrl}/operations/${id}`, { headers: key.header });
}

async function read(id: string) {
  const response = await get(id);
  expect(response.status).toBe(200);
  const body = (await response.json()) as Record<string, unknown> & { resultUrl: string | null };
  expect([...Value.Errors(OperationSchema, body)]).toEqual([]);
  return { body, retryAfter: response.headers.get('retry-after') };
}

function end(id: string, how: Exclude<OperationEnd, { status: 'cancelled' }>) {
  return api.dependencies.database.begin(async (transaction) => {
    await endManually(transaction, context(), id, how);
  });
}

/** A succeeded operation with a file of pieces of these lengths; the file's bytes. */
async function withFile(lengths: readonly number[] = PIECES): Promise<{ id: string; bytes: Buffer }> {
  const id = await create();
  const pieces = lengths.map((length, at) => Buffer.alloc(length, at + 1));
  const bytes = Buffer.concat(pieces);
  await api.dependencies.database.begin(async (transaction) => {
    for (const [at, piece] of pieces.entries()) await insertChunk(transaction, id, at, piece);
    await transaction`update operations set status = 'running', started_at = ${clock.now()} where id = ${id}`;
    const operation = await lockOperation(transaction, id);
    if (operation === null) throw new Error('no operation');
    const file = { contentType: 'text/csv', fileName: 'a.csv', byteLength: BigInt(bytes.length) };
    await endOperation(transaction, context(), operation, { status: 'succeeded', file });
  });
  return { id, bytes };
}

describe('getOperation', () => {
  test('shows its input and Retry-After of 2 seconds while it is queued or running', async () => {
    const id = await create();
    const queued = await read(id);
    expect(queued).toEqual({
      retryAfter: '2',
      body: {
        id,
        kind: 'platform_work',
        status: 'queued',
        createdAt: clock.now().toISOString(),
        startedAt: null,
        completedAt: null,
        resultUrl: null,
        error: null,
      },
    });
    await api.dependencies.database.begin(async (transaction) => {
      await reportProgress(transaction, context(), id, { completed: 0n, total: 7n, unit: null });
    });
    const running = await read(id);
    expect(running.retryAfter).toBe('2');
    expect(running.body).toMatchObject({ status: 'running', startedAt: clock.now().toISOString() });
    expect(running.body.progress).toEqual({ completed: 0, total: 7 });
  });

  test('reports the end without Retry-After', async () => {
    const id = await create();
    await end(id, { status: 'succeeded', resultUrl: 'https://files.example/1' });
    const { body, retryAfter } = await read(id);
    expect(retryAfter).toBeNull();
    expect(body).toMatchObject({ status: 'succeeded', resultUrl: 'https://files.example/1', error: null });
  });

  test('reports a failure as whole Problem Details whose type has an explanation', async () => {
    const id = await create();
    const requestId = `req_${'0f'.repeat(16)}`;
    await end(id, { status: 'failed', code: 'token_not_found', detail: null, requestId });
    const { body, retryAfter } = await read(id);
    expect(retryAfter).toBeNull();
    expect(body.error).toEqual({
      type: `${api.config.docsUrl}/reference/errors#token_not_found`,
      title: 'Token not found',
      status: 404,
      detail: 'No visible token has this mint address.',
      instance: `/api/v2/operations/${id}`,
      code: 'token_not_found',
      requestId,
    });
  });
});

describe('a result file', () => {
  const linkOf = async (id: string) => {
    const { resultUrl } = (await read(id)).body;
    if (resultUrl === null) throw new Error('no link');
    expect(resultUrl).toStartWith(`${api.config.publicUrl}/operation-results/${id}?`);
    return resultUrl.replace(api.config.publicUrl, api.origin);
  };

  test('is fetched whole through the link, without a key, as an attachment that no cache keeps', async () => {
    const { id, bytes } = await withFile();
    const response = await fetch(await linkOf(id));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="a.csv"',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('of one piece states its length', async () => {
    const { id } = await withFile([12]);
    const response = await fetch(await linkOf(id));
    expect(response.headers.get('content-length')).toBe('12');
    expect((await response.arrayBuffer()).byteLength).toBe(12);
  });

  test('is announced by HEAD with the same headers and no body', async () => {
    const { id, bytes } = await withFile();
    const response = await fetch(await linkOf(id), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(await response.text()).toBe('');
  });

  test('answers the same 404 to a forged link, one for another file, one that has expired, and none', async () => {
    const { id } = await withFile([3]);
    const { id: other } = await withFile([3]);
    const link = new URL(await linkOf(id));
    const change = (changes: Record<string, string>, path = link.pathname) => {
      const url = new URL(path, link);
      url.search = link.search;
      for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
      return url;
    };
    const expires = link.searchParams.get('expires') ?? '';
    const signature = link.searchParams.get('signature') ?? '';
    const last = signature.slice(-1);
    const respelled = `${signature.slice(0, -1)}${String.fromCharCode(last.charCodeAt(0) + 1)}`;
    const answers = await Promise.all(
      [
        change({ expires: String(Number(expires) + 1) }),
        change({ expires: `0${expires}` }),
        change({ signature: Buffer.alloc(32).toString('base64url') }),
        change({ signature: respelled }),
        change({ signature: '' }),
        change({}, `/operation-results/${other}`),
        change({}, '/operation-results/nothing'),
        new URL(link.pathname, link),
      ].map(async (url) => {
        const response = await fetch(url);
        const { date: _date, ...headers } = Object.fromEntries(response.headers);
        return { status: response.status, text: await response.text(), headers };
      }),
    );
    expect(answers[0]).toMatchObject({ status: 404, text: 'not found\n' });
    expect(answers[0]?.headers['cache-control']).toBe('private, no-store');
    for (const answer of answers) expect(answer).toEqual(answers[0] ?? answer);
    expect((await fetch(link)).status).toBe(200);
    clock.advance(HOUR_MS);
    expect((await fetch(link)).status).toBe(404);
    expect((await fetch(await linkOf(id))).status).toBe(200);
  });

  test('is kept for 7 days, then gone with its bytes, and the operation says so', async () => {
    const { database } = api.dependencies;
    const { id } = await withFile();
    const link = await linkOf(id);
    clock.advance(7 * 24 * HOUR_MS - 1000);
    await deleteExpiredResults(database, clock.now(), 100);
    expect((await read(id)).body.resultUrl).not.toBeNull();
    clock.advance(1000);
    expect((await read(id)).body.resultUrl).toBeNull();
    expect(await deleteExpiredResults(database, clock.now(), 100)).toBe(1);
    expect((await database`select from operation_result_chunks where operation_id = ${id}`).count).toBe(0);
    expect((await read(id)).body).toMatchObject({ status: 'succeeded', resultUrl: null });
    expect((await fetch(link)).status).toBe(404);
  });

  test('is read only as fast as the client reads; if it is removed meanwhile, the connection breaks, and no file is cut short', async () => {
    const { database } = api.dependencies;
    const { id } = await withFile(Array.from({ length: 60 }, () => 262_144));
    const response = await fetch(await linkOf(id));
    const reader = response.body?.getReader();
    await reader?.read();
    await database`delete from operation_result_chunks where operation_id = ${id} and ordinal > 40`;
    const drain = async () => {
      for (;;) if ((await reader?.read())?.done !== false) return;
    };
    await expect(drain()).rejects.toThrow();
  });

  test('is a 503 without internal details while the database is away', async () => {
    const lost = await startTestApi({
      environment: { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:9/nothing' },
    });
    const url = lost.dependencies.operationLinks.resultUrl(
      Bun.randomUUIDv7(),
      new Date(Date.now() + HOUR_MS),
      new Date(),
    );
    const response = await fetch((url ?? '').replace(lost.config.publicUrl, lost.origin));
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('unavailable\n');
  });
});
