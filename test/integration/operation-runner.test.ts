import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import { cancelOperation } from '../../src/features/operations/cancel-operation.ts';
import { insertChunk, type ResultFile } from '../../src/features/operations/results/rows.ts';
import { CLAIMS_MAX, FAILURES_MAX } from '../../src/features/operations/runner/context.ts';
import {
  type AnyOperationKind,
  DependencyUnavailable,
  type OperationRun,
} from '../../src/features/operations/runner/kind.ts';
import { runOperation } from '../../src/features/operations/runner/run-operation.ts';
import { Problem } from '../../src/shared/problem.ts';
import { eventually } from '../support/eventually.ts';
import {
  createTestRunner,
  operationEvents,
  operationState,
  resultText,
  type TestRunner,
} from '../support/operation-runner.ts';
import { insertAccount } from '../support/submitted-intent.ts';
import { openDatabase } from '../support/worker-context.ts';

type Run = OperationRun<unknown, { at: number }>;

let db: Database;
let accountId: string;
let runner: TestRunner;
let kindNumber = 0;

beforeAll(async () => {
  db = await openDatabase();
  accountId = await insertAccount(db);
});

beforeEach(() => {
  runner = createTestRunner(db);
  kindNumber += 1;
});

/** A kind of this test alone. */
function scripted(run: (run: Run) => Promise<ResultFile>): AnyOperationKind {
  return { kind: `scripted_${kindNumber}`, run };
}

const create = (kind: AnyOperationKind) => runner.create(accountId, kind.kind);

/** Writes `text` as the file of the operation. */
async function writeText(run: Run, text: string): Promise<ResultFile> {
  const content = Buffer.from(text);
  await run.step(async (transaction) => {
    await insertChunk(transaction, run.operationId, 0, content);
    return { progress: { completed: 2n, total: 2n, unit: 'things' } };
  });
  return { contentType: 'text/plain', fileName: 'a.txt', byteLength: BigInt(content.byteLength) };
}

const count = (run: Run, at: number) =>
  run.step(async () => ({
    progress: { completed: BigInt(at), total: 9n, unit: 'steps' },
    checkpoint: { at },
  }));

describe('an operation', () => {
  test('runs, succeeds with its file, and tells its account once, with a link to the file', async () => {
    const kind = scripted((run) => writeText(run, 'done'));
    const id = await create(kind);
    expect(await runner.runDue(kind)).toBe(true);
    expect(await operationState(db, id)).toMatchObject({
      status: 'succeeded',
      progressCompleted: 2n,
      checkpoint: null,
    });
    expect(await resultText(db, id)).toBe('done');
    const events = await operationEvents(db, id);
    expect(events.map(({ name }) => name)).toEqual(['operation.succeeded']);
    expect(events[0]?.data).toMatchObject({
      id,
      status: 'succeeded',
      progress: { completed: 2, total: 2, unit: 'things' },
      resultUrl: expect.stringContaining(`https://api.test/operation-results/${id}?expires=`),
    });
    expect(runner.hinted.events).toBe(1);
    expect(await runner.runDue(kind)).toBe(false);
  });

  test('of a kind that nobody here knows is left alone', async () => {
    const id = await runner.create(accountId, `foreign_${kindNumber}`);
    expect(await runner.runDue(scripted(async () => Promise.reject(new Error('not mine'))))).toBe(false);
    expect(await operationState(db, id)).toMatchObject({ status: 'queued', claimCount: 0 });
  });

  test('that can never succeed fails with its code, whole Problem Details, and leaves no file', async () => {
    const kind = scripted(async (run) => {
      await writeText(run, 'half');
      throw new Problem('token_not_found', { detail: 'No mint here.' });
    });
    const id = await create(kind);
    await runner.runDue(kind);
    expect(await resultText(db, id)).toBe('');
    const [event] = await operationEvents(db, id);
    expect(event).toMatchObject({
      name: 'operation.failed',
      data: {
        resultUrl: null,
        error: {
          type: 'https://api.test/docs/reference/errors#token_not_found',
          title: 'Token not found',
          status: 404,
          detail: 'No mint here.',
          instance: `/api/v2/operations/${id}`,
          code: 'token_not_found',
          requestId: `req_${'ab'.repeat(16)}`,
        },
      },
    });
  });
});

describe('work of a runner that died', () => {
  test('goes on at its checkpoint elsewhere when the lease has ended, and not before', async () => {
    const seen: (number | null)[] = [];
    const kind = scripted(async (run) => {
      seen.push(run.checkpoint?.at ?? null);
      if (run.checkpoint === null) await count(run, 4);
      return writeText(run, 'resumed');
    });
    const id = await create(kind);
    // The process dies after its first step: nothing more happens in it.
    const dead = await runner.claim(kind);
    if (dead === null) throw new Error('nothing was due');
    await db`update operations set checkpoint = ${db.json({ at: 4 })} where id = ${id}`;
    expect(await runner.runDue(kind)).toBe(false);
    await runner.makeDue(id);
    expect(await runner.runDue(kind)).toBe(true);
    expect(seen).toEqual([4]);
    expect(await resultText(db, id)).toBe('resumed');
  });

  test('ends as failed when it killed its process too often, with a request id for the log', async () => {
    const kind = scripted(async () => Promise.reject(new Error('never reached')));
    const id = await create(kind);
    for (let claims = 0; claims < CLAIMS_MAX; claims += 1) {
      expect(await runner.claim(kind)).not.toBeNull();
      await runner.makeDue(id);
    }
    await runner.runDue(kind);
    expect(await operationState(db, id)).toMatchObject({ status: 'failed', errorCode: 'internal_error' });
    expect((await operationEvents(db, id)).map(({ name }) => name)).toEqual(['operation.failed']);
  });

  test('is forgiven its crashes by every new checkpoint', async () => {
    const kind = scripted(async (run) => {
      await count(run, (run.checkpoint?.at ?? 0) + 1);
      throw new Error('dies after each step');
    });
    const id = await create(kind);
    for (let runs = 0; runs < CLAIMS_MAX + 3; runs += 1) {
      await runner.runDue(kind);
      await runner.makeDue(id);
    }
    expect(await operationState(db, id)).toMatchObject({ status: 'running', claimCount: 1 });
  });
});

describe('two runners', () => {
  test('never hold one operation at the same time', async () => {
    const kind = scripted((run) => writeText(run, 'x'));
    const ids = await Promise.all(Array.from({ length: 8 }, () => create(kind)));
    const claims = await Promise.all(Array.from({ length: 20 }, () => runner.claim(kind)));
    const claimed = claims.flatMap((claim) => (claim === null ? [] : [claim.id]));
    expect(claimed.sort()).toEqual(ids.sort());
  });

  test.each([
    ['the next step', (run: Run) => writeText(run, 'of the old one')],
    ['the end', async () => ({ contentType: 'text/plain', fileName: 'old.txt', byteLength: 1n })],
  ])('that disagree about a lease: who lost it cannot write %s', async (_what, goOn) => {
    const slow = Promise.withResolvers<void>();
    const kind = scripted(async (run) => {
      if (run.checkpoint !== null) return writeText(run, 'of the new one');
      await count(run, 1);
      await slow.promise;
      return goOn(run);
    });
    const id = await create(kind);
    const stalled = runner.runDue(kind);
    await eventually('the first step', async () => (await operationState(db, id))?.checkpoint !== null);
    await runner.makeDue(id);
    const other = await runner.claim(kind);
    if (other === null) throw new Error('nothing was due');
    slow.resolve();
    await stalled;
    expect(await operationState(db, id)).toMatchObject({ status: 'running', checkpoint: { at: 1 } });
    expect(await resultText(db, id)).toBe('');
    await runOperation(runner.context, kind, other, new AbortController().signal);
    expect(await resultText(db, id)).toBe('of the new one');
    expect((await operationEvents(db, id)).map(({ name }) => name)).toEqual(['operation.succeeded']);
  });

  test('cannot take over while a step is being committed, however late it is', async () => {
    const inStep = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const kind = scripted(async (run) => {
      await run.step(async () => {
        inStep.resolve();
        await goOn.promise;
        return {};
      });
      return writeText(run, 'late');
    });
    const id = await create(kind);
    const late = await runner.claim(kind);
    if (late === null) throw new Error('nothing was due');
    await runner.makeDue(id);
    const running = runOperation(runner.context, kind, late, new AbortController().signal);
    await inStep.promise;
    expect(await runner.claim(kind)).toBeNull();
    goOn.resolve();
    await running;
    expect(await resultText(db, id)).toBe('late');
  });

  test('keep a lease alive while the work takes longer than it', async () => {
    runner = createTestRunner(db, 300);
    const goOn = Promise.withResolvers<void>();
    const kind = scripted(async (run) => {
      await goOn.promise;
      return writeText(run, 'slow');
    });
    const id = await create(kind);
    const dueAt = async () =>
      (await db<{ dueAt: Date }[]>`select due_at from operations where id = ${id}`)[0]?.dueAt;
    const running = runner.runDue(kind);
    await eventually('running', async () => (await operationState(db, id))?.status === 'running');
    const first = await dueAt();
    await eventually(
      'prolonged',
      async () => ((await dueAt())?.getTime() ?? 0) >= (first?.getTime() ?? 0) + 300,
    );
    goOn.resolve();
    await running;
    expect(await operationState(db, id)).toMatchObject({ status: 'succeeded', claimCount: 1 });
  });
});

describe('a cancellation', () => {
  const cancel = (id: string) =>
    db.begin((transaction) =>
      cancelOperation(transaction, runner.context, id).then((value) => ({ ...value })),
    );

  test('of a queued operation is immediate', async () => {
    const kind = scripted((run) => writeText(run, 'x'));
    const id = await create(kind);
    expect(await cancel(id)).toMatchObject({
      isRequested: false,
      operation: { status: 'cancelled', startedAt: null },
    });
    expect(await runner.runDue(kind)).toBe(false);
    expect((await operationEvents(db, id)).map(({ name }) => name)).toEqual(['operation.cancelled']);
  });

  test('of a running one takes effect at its next step, which does nothing any more', async () => {
    let id = '';
    const kind = scripted(async (run) => {
      await count(run, 1);
      expect(await cancel(id)).toMatchObject({ isRequested: true, operation: { status: 'running' } });
      await count(run, 2);
      return writeText(run, 'too late');
    });
    id = await create(kind);
    await runner.runDue(kind);
    expect(await operationState(db, id)).toMatchObject({ status: 'cancelled', progressCompleted: 1n });
    expect((await operationEvents(db, id)).map(({ name }) => name)).toEqual(['operation.cancelled']);
  });

  test('of one whose runner died is done by the next runner, without working', async () => {
    const kind = scripted(async () => Promise.reject(new Error('must not run')));
    const id = await create(kind);
    await runner.claim(kind);
    await cancel(id);
    await runner.makeDue(id);
    await runner.runDue(kind);
    expect(await operationState(db, id)).toMatchObject({ status: 'cancelled' });
  });

  test('of one that waits for a dependency does not wait with it', async () => {
    const kind = scripted(async () => Promise.reject(new DependencyUnavailable('Chain away.', 'test')));
    const id = await create(kind);
    await runner.runDue(kind);
    expect(await runner.runDue(kind)).toBe(false);
    await cancel(id);
    expect(await runner.runDue(kind)).toBe(true);
    expect(await operationState(db, id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a dependency that is away', () => {
  test('costs pauses, not claims, and after enough of them the operation fails with its name', async () => {
    const kind = scripted(async () =>
      Promise.reject(new DependencyUnavailable('The chain is away.', 'ECONNREFUSED')),
    );
    const id = await create(kind);
    for (let failures = 1; failures < FAILURES_MAX; failures += 1) {
      expect(await runner.runDue(kind)).toBe(true);
      expect(await operationState(db, id)).toMatchObject({
        status: 'running',
        claimCount: 0,
        failureCount: failures,
      });
      expect(await runner.runDue(kind)).toBe(false);
      await runner.makeDue(id);
    }
    await runner.runDue(kind);
    expect(await operationState(db, id)).toMatchObject({
      status: 'failed',
      errorCode: 'api_dependency_unavailable',
      errorDetail: 'The chain is away.',
    });
  });

  test('our own database among them, never makes an operation fail', async () => {
    const lost = Object.assign(new Error('connection closed'), { code: 'CONNECTION_CLOSED' });
    const kind = scripted(async () => Promise.reject(lost));
    const id = await create(kind);
    for (let runs = 0; runs < CLAIMS_MAX + FAILURES_MAX; runs += 1) {
      expect(await runner.runDue(kind)).toBe(true);
      await runner.makeDue(id);
    }
    expect(await operationState(db, id)).toMatchObject({ status: 'running', claimCount: 0, failureCount: 0 });
  });

  test('an error nobody expected is tried again a few times, then is internal_error without its text', async () => {
    const kind = scripted(async () => Promise.reject(new Error('secret of the inside')));
    const id = await create(kind);
    for (let runs = 0; runs < CLAIMS_MAX; runs += 1) {
      await runner.runDue(kind);
      await runner.makeDue(id);
    }
    expect(await operationState(db, id)).toMatchObject({ status: 'failed', errorCode: 'internal_error' });
    expect(JSON.stringify(await operationEvents(db, id))).not.toContain('secret');
  });
});

test('a worker that stops gives its work back at once and says so', async () => {
  const stop = new AbortController();
  const kind = scripted(async (run) => {
    await count(run, 1);
    stop.abort();
    await count(run, 2);
    return writeText(run, 'x');
  });
  const id = await create(kind);
  await runner.runDue(kind, stop.signal);
  expect(await operationState(db, id)).toMatchObject({
    status: 'running',
    claimCount: 0,
    checkpoint: { at: 1 },
  });
  expect(runner.hinted.givenBack).toBe(1);
  expect(await runner.claim(kind)).toMatchObject({ id });
});

test('an operation that has ended never changes, whoever tries', async () => {
  const kind = scripted((run) => writeText(run, 'final'));
  const id = await create(kind);
  const stale = await runner.claim(kind);
  if (stale === null) throw new Error('nothing was due');
  await runOperation(runner.context, kind, stale, new AbortController().signal);
  const before = await db`select * from operations where id = ${id}`;
  await runOperation(
    runner.context,
    scripted(async () => Promise.reject(new Problem('not_found'))),
    stale,
    new AbortController().signal,
  );
  await runOperation(runner.context, kind, stale, new AbortController().signal);
  await expect(
    db.begin((transaction) => cancelOperation(transaction, runner.context, id).then(() => [])),
  ).rejects.toThrow('never changes');
  expect([...(await db`select * from operations where id = ${id}`)]).toEqual([...before]);
  expect(await operationEvents(db, id)).toHaveLength(1);
});
