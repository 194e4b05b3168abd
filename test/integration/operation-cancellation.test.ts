import { describe, expect, test } from 'bun:test';
import { cancelOperation } from '../../src/features/operations/cancel-operation.ts';
import { DependencyUnavailable } from '../../src/features/operations/runner/kind.ts';
import { openOperationStage } from '../support/operations/operation-stage.ts';
import { count, scripted, writeText } from '../support/operations/scripted-kind.ts';

const { db, runner, create, stateOf, eventsOf } = await openOperationStage();

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
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['operation.cancelled']);
  });

  test('of a running operation takes effect at its next step, which no longer works', async () => {
    let id = '';
    const kind = scripted(async (run) => {
      await count(run, 1);
      expect(await cancel(id)).toMatchObject({ isRequested: true, operation: { status: 'running' } });
      await count(run, 2);
      return writeText(run, 'too late');
    });
    id = await create(kind);
    await runner.runDue(kind);
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled', progressCompleted: 1n });
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['operation.cancelled']);
  });

  test('of an operation whose runner died is made by the next runner, without any work', async () => {
    const kind = scripted(async () => Promise.reject(new Error('must not run')));
    const id = await create(kind);
    await runner.claim(kind);
    await cancel(id);
    await runner.makeDue(id);
    await runner.runDue(kind);
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled' });
  });

  test('of an operation that waits for a dependency is immediate', async () => {
    const kind = scripted(async () => Promise.reject(new DependencyUnavailable('Chain away.', 'test')));
    const id = await create(kind);
    await runner.runDue(kind);
    expect(await runner.runDue(kind)).toBe(false);
    await cancel(id);
    expect(await runner.runDue(kind)).toBe(true);
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a cancellation by the account', () => {
  const cancelOwn = async (id: string) => {
    const [row] = await db<{ before: string | null }[]>`
      select cancel_operation(id, account_id, now()) as before from operations where id = ${id}`;
    return row?.before ?? null;
  };

  test('of a running operation takes effect at its next step, with one event', async () => {
    let id = '';
    const kind = scripted(async (run) => {
      await count(run, 1);
      expect(await cancelOwn(id)).toBe('running');
      await count(run, 2);
      return writeText(run, 'too late');
    });
    id = await create(kind);
    await runner.runDue(kind);
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled', progressCompleted: 1n });
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['operation.cancelled']);
    expect(await cancelOwn(id)).toBe('cancelled');
  });

  test('of an operation that no worker holds is made by the next one at once, without any work', async () => {
    const kind = scripted(async () => Promise.reject(new DependencyUnavailable('Chain away.', 'test')));
    const id = await create(kind);
    await runner.runDue(kind);
    expect(await runner.runDue(kind)).toBe(false);
    expect(await cancelOwn(id)).toBe('running');
    expect(await runner.runDue(kind)).toBe(true);
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled' });
  });

  test('that comes as a worker claims or ends it leaves one end, which never changes', async () => {
    const kind = scripted((run) => writeText(run, 'x'));
    for (let round = 0; round < 10; round += 1) {
      const id = await create(kind);
      const [before] = await Promise.all([cancelOwn(id), runner.runDue(kind)]);
      // A worker that was asked too late has ended it; one that was asked in time ends it as cancelled.
      const status = (await stateOf(id))?.status;
      expect(before === 'queued' ? ['cancelled'] : ['cancelled', 'succeeded']).toContain(status);
      expect(await cancelOwn(id)).toBe(status);
      expect((await stateOf(id))?.status).toBe(status);
      const ends = (await eventsOf(id)).map(({ name }) => name);
      // The event of a queued one is appended by the api, beside this function.
      expect(ends).toEqual(before === 'queued' ? [] : [`operation.${status}`]);
    }
  });

  test('names the account: no other can cancel it', async () => {
    const kind = scripted((run) => writeText(run, 'x'));
    const id = await create(kind);
    const [row] = await db`select cancel_operation(${id}::uuid, gen_random_uuid(), now()) as before`;
    expect(row).toEqual({ before: null });
    expect(await stateOf(id)).toMatchObject({ status: 'queued' });
    await runner.runDue(kind);
  });
});
