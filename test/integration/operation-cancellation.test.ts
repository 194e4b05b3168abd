import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import { cancelOperation } from '../../src/features/operations/cancel-operation.ts';
import type { AnyOperationKind } from '../../src/features/operations/runner/kind.ts';
import { DependencyUnavailable } from '../../src/features/operations/runner/kind.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import {
  createTestRunner,
  operationEvents,
  operationState,
  type TestRunner,
} from '../support/operations/operation-runner.ts';
import { count, scripted, writeText } from '../support/operations/scripted-kind.ts';
import { openDatabase } from '../support/processes/worker-context.ts';

let db: Database;
let accountId: string;
let runner: TestRunner;

beforeAll(async () => {
  db = await openDatabase();
  accountId = await insertAccount(db);
});

beforeEach(() => {
  runner = createTestRunner(db);
});

const create = (kind: AnyOperationKind) => runner.create(accountId, kind.kind);

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
