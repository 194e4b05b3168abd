import { has, need } from '../../packages/client/src/cli/kit/command.ts';
import { choice, flag, required } from '../../packages/client/src/cli/kit/option.ts';
import type { Database } from '../db/client.ts';
import { deliveryStatuses } from '../db/values/webhooks.ts';
import { createOperation } from '../features/operations/create-operation.ts';
import { findOperation } from '../features/operations/find-operation.ts';
import { toOperation } from '../features/operations/record.ts';
import { findChunk } from '../features/operations/results/rows.ts';
import type { OperationRecord } from '../features/operations/schema.ts';
import { isTerminal } from '../features/operations/state.ts';
import { findAnyDelivery, findAttemptDetails } from '../features/webhooks/deliveries/find-any-delivery.ts';
import { attemptsOf } from '../features/webhooks/deliveries/list-attempts.ts';
import { listDeliveries } from '../features/webhooks/deliveries/list-deliveries.ts';
import { toDelivery } from '../features/webhooks/deliveries/record.ts';
import { findEndpointCondition } from '../features/webhooks/deliveries/recover-deliveries.ts';
import { replayDelivery } from '../features/webhooks/deliveries/replay-delivery.ts';
import { parseInstant } from '../shared/instant.ts';
import { wait } from '../shared/loop.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { type Command, CommandRefused, needUuid, type ReportProgress } from './command.ts';
import { internalDependencies } from './internal-command.ts';
import { time, uuid } from './option.ts';
import { nextOf, pageOptions, readPage } from './page-options.ts';

/** Ten replays of ten attempts and the first ten: several times the largest possible number. */
const ATTEMPTS_MAX = 1_000;

const deliveryList: Command = {
  name: 'delivery list',
  summary: 'Lists the deliveries of an endpoint, newest first',
  options: {
    endpoint: uuid('the endpoint, which may be deleted', required),
    status: choice('only those in this status', deliveryStatuses),
    ...pageOptions('deliveries'),
  },
  examples: ['--endpoint 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --status dead_letter'],
  async run({ database }, options) {
    const endpointId = needUuid(options, 'endpoint');
    if ((await findEndpointCondition(database, endpointId)) === null)
      throw new CommandRefused(`endpoint ${endpointId} does not exist`);
    const status = deliveryStatuses.find((one) => one === options.status);
    const page = await listDeliveries(database, endpointId, { status, ...readPage(options) });
    const deliveries = page.items.map(({ endpointId: _, updatedAt: __, ...fields }) => fields);
    return { endpointId, deliveries, next: nextOf(page) };
  },
};

const deliveryShow: Command = {
  name: 'delivery show',
  summary: 'Shows a delivery of any account with all its attempts, newest first, and why each failed',
  options: { id: uuid('the delivery', required) },
  examples: ['--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
  async run({ database }, options) {
    const id = needUuid(options, 'id');
    const delivery = await findAnyDelivery(database, id);
    if (delivery === null) throw new CommandRefused(`delivery ${id} does not exist`);
    const [page, details] = await Promise.all([
      attemptsOf(database, id, { limit: ATTEMPTS_MAX }),
      findAttemptDetails(database, id),
    ]);
    const attempts = page.items.map((attempt) => ({
      ...attempt,
      errorDetail: details.get(attempt.attemptNumber) ?? null,
    }));
    return { ...delivery, attempts };
  },
};

const deliveryRetry: Command = {
  name: 'delivery retry',
  summary: 'Sends a finished delivery of any account again, with the whole schedule; at most 10 times each',
  options: { id: uuid('the delivery: succeeded or dead_letter', required) },
  examples: ['--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
  async run({ database }, options) {
    const id = needUuid(options, 'id');
    const delivery = await findAnyDelivery(database, id);
    if (delivery === null) throw new CommandRefused(`delivery ${id} does not exist`);
    const { accountId, endpointId } = delivery;
    await requireEndpoint(database, endpointId);
    const row = await database.begin((transaction) =>
      replayDelivery(transaction, id, { accountId, scopes: null }),
    );
    return { ...toDelivery(row) };
  },
};

const POLL_MS = 250;

/** `delivery replay` (contract/processes#bulk-replay). */
const deliveryReplay: Command = {
  name: 'delivery replay',
  summary:
    'Sends the finished deliveries of an endpoint again, as an operation of its account; prints the operation',
  options: {
    endpoint: uuid('the endpoint', required),
    status: choice('which deliveries', ['dead_letter', 'succeeded'], required),
    since: time('only deliveries created then or later', { ifUnset: 'all of them' }),
    wait: flag('print the ended operation and its counts; needs a running worker'),
  },
  examples: [
    '--endpoint 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --status dead_letter --since 2026-11-20T10:00:00Z --wait',
  ],
  async run(dependencies, options, report) {
    const { database, clock } = dependencies;
    const endpointId = needUuid(options, 'endpoint');
    const { since } = options;
    const input = {
      endpointId,
      status: need(options, 'status'),
      ...(since !== undefined && { since: parseInstant(since).toISOString() }),
    };
    const accountId = await requireEndpoint(database, endpointId);
    const operation = await database.begin((transaction) =>
      createOperation(transaction, clock, { accountId, kind: 'delivery_replay', input }),
    );
    if (!has(options, 'wait'))
      return { ...toOperation(operation, internalDependencies(dependencies).links, clock.now()) };
    return { ...(await waitForEnd(dependencies, operation.id, accountId, report)) };
  },
};

export const deliveryCommands = [deliveryList, deliveryShow, deliveryRetry, deliveryReplay];

/** Returns the account of an endpoint that may receive deliveries. */
async function requireEndpoint(database: Database, endpointId: string): Promise<string> {
  const endpoint = await findEndpointCondition(database, endpointId);
  if (endpoint === null) throw new CommandRefused(`endpoint ${endpointId} does not exist`);
  if (endpoint.condition !== 'enabled')
    throw new CommandRefused(`endpoint ${endpointId} is ${endpoint.condition}: it gets no deliveries`);
  return endpoint.accountId;
}

async function waitForEnd(
  dependencies: AdminDependencies,
  operationId: string,
  accountId: string,
  report: ReportProgress,
): Promise<OperationRecord & { result: unknown }> {
  const { database, clock } = dependencies;
  const never = new AbortController().signal;
  for (;;) {
    const row = await findOperation(database, operationId, accountId);
    if (row === null) throw new Error(`operation ${operationId} vanished`);
    const { progressCompleted, progressTotal, progressUnit } = row;
    if (progressCompleted !== null)
      report(
        Number(progressCompleted),
        progressTotal === null ? null : Number(progressTotal),
        progressUnit ?? 'done',
      );
    if (isTerminal(row.status)) {
      const text = await findChunk(database, operationId, 0);
      const operation = toOperation(row, internalDependencies(dependencies).links, clock.now());
      return { ...operation, result: text === null ? null : JSON.parse(Buffer.from(text).toString()) };
    }
    await wait(POLL_MS, never);
  }
}
