import { Value } from '@sinclair/typebox/value';
import type { Database } from '../../../src/db/client.ts';
import { isDatabaseAway } from '../../../src/db/failure.ts';
import { documentedEvents } from '../../../src/documentation/events/documented-events.ts';
import { createOperation } from '../../../src/features/operations/create-operation.ts';
import { createResultLinks } from '../../../src/features/operations/results/links.ts';
import type { RunnerContext } from '../../../src/features/operations/runner/context.ts';
import type { AnyOperationKind } from '../../../src/features/operations/runner/kind.ts';
import { type ClaimedOperation, claimOperation } from '../../../src/features/operations/runner/lease-rows.ts';
import { runOperation } from '../../../src/features/operations/runner/run-operation.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import { eventName } from '../../../src/shared/events/catalogue.ts';
import { asWorker, silentLog } from '../processes/worker-context.ts';
import { createTestClock, type TestClock } from '../run/clock.ts';

export const testLinks = createResultLinks('https://api.test', new Uint8Array(32).fill(3));

export interface TestRunner {
  context: RunnerContext;
  clock: TestClock;
  /** Hints that were sent. */
  hinted: { events: number; givenBack: number };
  /** Stores a queued operation, also of an unknown kind. */
  create(accountId: string, kind: string, input?: object): Promise<string>;
  claim(kind: AnyOperationKind): Promise<ClaimedOperation | null>;
  /** Claims and works on the operation that is due; false when none is. */
  runDue(kind: AnyOperationKind, stop?: AbortSignal): Promise<boolean>;
  /** Ends the pause or the lease of an operation. */
  makeDue(operationId: string): Promise<void>;
}

export function createTestRunner(db: Database, leaseMs = 60_000): TestRunner {
  const clock = createTestClock();
  const hinted = { events: 0, givenBack: 0 };
  const worker = asWorker(db);
  const context: RunnerContext = {
    db: worker,
    clock,
    outbox: createOutbox({ source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' }, clock, {
      sendHint: () => {
        hinted.events += 1;
      },
    }),
    links: { docsUrl: 'https://api.test/docs', resultUrl: testLinks.resultUrl },
    log: silentLog,
    leaseMs,
    pauses: { firstMs: 60_000, lastMs: 600_000 },
    isDatabaseFailure: isDatabaseAway,
    newRequestId: () => `req_${'ab'.repeat(16)}`,
    onGivenBack: () => {
      hinted.givenBack += 1;
    },
  };
  const claim = ({ kind }: AnyOperationKind) =>
    claimOperation(worker, [kind], { leaseToken: crypto.randomUUID(), leaseMs, now: clock.now() });
  return {
    context,
    clock,
    hinted,
    claim,
    async create(accountId, kind, input = {}) {
      const { id } = await db.begin((transaction) =>
        createOperation(transaction, clock, { accountId, kind, input }),
      );
      await db`update operations set due_at = now() where id = ${id}`;
      return id;
    },
    async runDue(kind, stop = new AbortController().signal) {
      const claimed = await claim(kind);
      if (claimed === null) return false;
      await runOperation(context, kind, claimed, stop);
      return true;
    },
    async makeDue(operationId) {
      await db`update operations set due_at = now() where id = ${operationId} and due_at is not null`;
    },
  };
}

/** The events about an operation, each as documented, with its data. */
export async function operationEvents(
  db: Database,
  operationId: string,
): Promise<{ name: string; data: Record<string, unknown> }[]> {
  const rows = await db<{ type: string; body: string }[]>`
    select type, body from events where subject = ${operationId} order by recorded_in, id`;
  return rows.map(({ type, body }) => {
    const name = eventName(type);
    const { data } = JSON.parse(body) as { data: Record<string, unknown> };
    if (name === null || !Value.Check(documentedEvents[name].schema, data))
      throw new Error(`${type} is not as documented`);
    return { name, data };
  });
}

/** The state of an operation. */
export async function operationState(db: Database, operationId: string) {
  const [row] = await db`
    select status, progress_completed, progress_total, progress_unit, error_code, error_detail, claim_count,
      failure_count, checkpoint from operations where id = ${operationId}`;
  return row;
}

/** The whole text of a result file. */
export async function resultText(db: Database, operationId: string): Promise<string> {
  const chunks = await db<{ content: Uint8Array }[]>`
    select content from operation_result_chunks where operation_id = ${operationId} order by ordinal`;
  return Buffer.concat(chunks.map(({ content }) => content)).toString();
}
