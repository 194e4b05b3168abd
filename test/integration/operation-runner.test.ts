import { describe, expect, test } from 'bun:test';
import { cancelOperation } from '../../src/features/operations/cancel-operation.ts';
import { runOperation } from '../../src/features/operations/runner/run-operation.ts';
import { Problem } from '../../src/shared/problem.ts';
import { createTestRunner } from '../support/operations/operation-runner.ts';
import { openOperationStage } from '../support/operations/operation-stage.ts';
import { count, type ScriptedRun, scripted, writeText } from '../support/operations/scripted-kind.ts';
import { eventually } from '../support/run/eventually.ts';

const { db, accountId, runner, create, stateOf, eventsOf, resultOf } = await openOperationStage();

describe('an operation', () => {
  test('runs, succeeds with its file, and notifies its account once, with a link to the file', async () => {
    const kind = scripted((run) => writeText(run, 'done'));
    const id = await create(kind);
    expect(await runner.runDue(kind)).toBe(true);
    expect(await stateOf(id)).toMatchObject({
      status: 'succeeded',
      progressCompleted: 2n,
      checkpoint: null,
    });
    expect(await resultOf(id)).toBe('done');
    const events = await eventsOf(id);
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

  test('of an unknown kind is left alone', async () => {
    const id = await runner.create(accountId, 'foreign');
    expect(await runner.runDue(scripted(async () => Promise.reject(new Error('not mine'))))).toBe(false);
    expect(await stateOf(id)).toMatchObject({ status: 'queued', claimCount: 0 });
  });

  test('that can never succeed fails with its code, whole Problem Details, and leaves no file', async () => {
    const kind = scripted(async (run) => {
      await writeText(run, 'half');
      throw new Problem('token_not_found', { detail: 'No mint here.' });
    });
    const id = await create(kind);
    await runner.runDue(kind);
    expect(await resultOf(id)).toBe('');
    const [event] = await eventsOf(id);
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

describe('two runners', () => {
  test('never hold one operation at the same time', async () => {
    const kind = scripted((run) => writeText(run, 'x'));
    const ids = await Promise.all(Array.from({ length: 8 }, () => create(kind)));
    const claims = await Promise.all(Array.from({ length: 20 }, () => runner.claim(kind)));
    const claimed = claims.flatMap((claim) => (claim === null ? [] : [claim.id]));
    expect(claimed.sort()).toEqual(ids.sort());
  });

  test.each([
    ['the next step', (run: ScriptedRun) => writeText(run, 'of the old one')],
    ['the end', async () => ({ contentType: 'text/plain', fileName: 'old.txt', byteLength: 1n })],
  ])('that disagree about a lease: the one that lost it cannot write %s', async (_what, goOn) => {
    const slow = Promise.withResolvers<void>();
    const kind = scripted(async (run) => {
      if (run.checkpoint !== null) return writeText(run, 'of the new one');
      await count(run, 1);
      await slow.promise;
      return goOn(run);
    });
    const id = await create(kind);
    const stalled = runner.runDue(kind);
    await eventually('the first step', async () => (await stateOf(id))?.checkpoint !== null);
    await runner.makeDue(id);
    const other = await runner.claim(kind);
    if (other === null) throw new Error('nothing was due');
    slow.resolve();
    await stalled;
    expect(await stateOf(id)).toMatchObject({ status: 'running', checkpoint: { at: 1 } });
    expect(await resultOf(id)).toBe('');
    await runOperation(runner.context, kind, other, new AbortController().signal);
    expect(await resultOf(id)).toBe('of the new one');
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['operation.succeeded']);
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
    expect(await resultOf(id)).toBe('late');
  });

  test('keep a lease alive while the work takes longer than it', async () => {
    const brief = createTestRunner(db, 300);
    const goOn = Promise.withResolvers<void>();
    const kind = scripted(async (run) => {
      await goOn.promise;
      return writeText(run, 'slow');
    });
    const id = await create(kind);
    const dueAt = async () =>
      (await db<{ dueAt: Date }[]>`select due_at from operations where id = ${id}`)[0]?.dueAt;
    const running = brief.runDue(kind);
    await eventually('running', async () => (await stateOf(id))?.status === 'running');
    const first = await dueAt();
    await eventually(
      'prolonged',
      async () => ((await dueAt())?.getTime() ?? 0) >= (first?.getTime() ?? 0) + 300,
    );
    goOn.resolve();
    await running;
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded', claimCount: 1 });
  });
});

test('a worker that stops releases its work immediately and announces it', async () => {
  const stop = new AbortController();
  const kind = scripted(async (run) => {
    await count(run, 1);
    stop.abort();
    await count(run, 2);
    return writeText(run, 'x');
  });
  const id = await create(kind);
  await runner.runDue(kind, stop.signal);
  expect(await stateOf(id)).toMatchObject({
    status: 'running',
    claimCount: 0,
    checkpoint: { at: 1 },
  });
  expect(runner.hinted.givenBack).toBe(1);
  expect(await runner.claim(kind)).toMatchObject({ id });
});

test('an operation that has ended never changes', async () => {
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
  expect(await eventsOf(id)).toHaveLength(1);
});
