import { beforeEach } from 'bun:test';
import type { Database } from '../../../src/db/client.ts';
import type { AnyOperationKind } from '../../../src/features/operations/runner/kind.ts';
import { insertAccount } from '../intents/submitted-intent.ts';
import { openDatabase } from '../processes/worker-context.ts';
import {
  createTestRunner,
  operationEvents,
  operationState,
  resultText,
  type TestRunner,
} from './operation-runner.ts';

export interface OperationStage {
  db: Database;
  accountId: string;
  /** Its clock and its hints are reset before each test. */
  runner: TestRunner;
  /** A queued operation of the account. */
  create(kind: AnyOperationKind): Promise<string>;
  stateOf(operationId: string): ReturnType<typeof operationState>;
  eventsOf(operationId: string): ReturnType<typeof operationEvents>;
  resultOf(operationId: string): Promise<string>;
}

/** Operations of an account in a separate database. A file opens it before its first test. */
export async function openOperationStage(): Promise<OperationStage> {
  const db = await openDatabase();
  const accountId = await insertAccount(db);
  const runner = createTestRunner(db);
  const start = runner.clock.now();
  beforeEach(() => {
    runner.clock.set(start);
    Object.assign(runner.hinted, { events: 0, givenBack: 0 });
  });
  return {
    db,
    accountId,
    runner,
    create: ({ kind }) => runner.create(accountId, kind),
    stateOf: (id) => operationState(db, id),
    eventsOf: (id) => operationEvents(db, id),
    resultOf: (id) => resultText(db, id),
  };
}
