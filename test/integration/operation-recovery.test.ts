import { describe, expect, test } from 'bun:test';
import { CLAIMS_MAX, FAILURES_MAX } from '../../src/features/operations/runner/context.ts';
import { DependencyUnavailable } from '../../src/features/operations/runner/kind.ts';
import { openOperationStage } from '../support/operations/operation-stage.ts';
import { count, scripted, writeText } from '../support/operations/scripted-kind.ts';

const { db, runner, create, stateOf, eventsOf, resultOf } = await openOperationStage();

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
    expect(await resultOf(id)).toBe('resumed');
  });

  test('fails when it has killed its process too often, with a request id for the log', async () => {
    const kind = scripted(async () => Promise.reject(new Error('never reached')));
    const id = await create(kind);
    for (let claims = 0; claims < CLAIMS_MAX; claims += 1) {
      expect(await runner.claim(kind)).not.toBeNull();
      await runner.makeDue(id);
    }
    await runner.runDue(kind);
    expect(await stateOf(id)).toMatchObject({ status: 'failed', errorCode: 'internal_error' });
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['operation.failed']);
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
    expect(await stateOf(id)).toMatchObject({ status: 'running', claimCount: 1 });
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
      expect(await stateOf(id)).toMatchObject({
        status: 'running',
        claimCount: 0,
        failureCount: failures,
      });
      expect(await runner.runDue(kind)).toBe(false);
      await runner.makeDue(id);
    }
    await runner.runDue(kind);
    expect(await stateOf(id)).toMatchObject({
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
    expect(await stateOf(id)).toMatchObject({ status: 'running', claimCount: 0, failureCount: 0 });
  });

  test('after an unexpected error it is tried again a few times, then fails as internal_error without the text', async () => {
    const kind = scripted(async () => Promise.reject(new Error('secret of the inside')));
    const id = await create(kind);
    for (let runs = 0; runs < CLAIMS_MAX; runs += 1) {
      await runner.runDue(kind);
      await runner.makeDue(id);
    }
    expect(await stateOf(id)).toMatchObject({ status: 'failed', errorCode: 'internal_error' });
    expect(JSON.stringify(await eventsOf(id))).not.toContain('secret');
  });
});
