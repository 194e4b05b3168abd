import type { Database } from '../db/client.ts';
import { createOperation } from '../features/operations/create-operation.ts';
import { findOperation } from '../features/operations/find-operation.ts';
import { type OperationRecord, toOperation } from '../features/operations/record.ts';
import { findChunk } from '../features/operations/results/rows.ts';
import { isTerminal } from '../features/operations/state.ts';
import { findEndpointCondition } from '../features/webhooks/deliveries/replay-deliveries.ts';
import { wait } from '../shared/loop.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { type Command, CommandRefused, need, needUuid, type OptionValues, UsageError } from './command.ts';
import { operationDependencies } from './operation-dependencies.ts';

const POLL_MS = 250;

const deliveryReplay: Command = {
  group: 'delivery',
  verb: 'replay',
  summary:
    'Send finished deliveries of an endpoint again, as an operation of its account; prints the operation',
  options: {
    endpoint: { description: 'endpoint id', required: true },
    status: { description: 'dead_letter or succeeded', required: true },
    since: { description: 'RFC 3339 time; only deliveries created then or later' },
    wait: { description: 'print the ended operation and its counts; needs a running worker', flag: true },
  },
  async run(dependencies, options) {
    const { database, clock } = dependencies;
    const endpointId = needUuid(options, 'endpoint').toLowerCase();
    const input = { endpointId, status: readStatus(options), ...readSince(options) };
    const accountId = await requireEndpoint(database, endpointId);
    const operation = await database.begin((transaction) =>
      createOperation(transaction, clock, { accountId, kind: 'delivery_replay', input }),
    );
    if (options.wait !== 'true')
      return { ...toOperation(operation, operationDependencies(dependencies).links, clock.now()) };
    return { ...(await waitForEnd(dependencies, operation.id, accountId)) };
  },
};

export const deliveryCommands = [deliveryReplay];

/** The account of an endpoint that gets deliveries. */
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
): Promise<OperationRecord & { result: unknown }> {
  const { database, clock } = dependencies;
  const never = new AbortController().signal;
  for (;;) {
    const row = await findOperation(database, operationId, accountId);
    if (row === null) throw new Error(`operation ${operationId} vanished`);
    if (isTerminal(row.status)) {
      const report = await findChunk(database, operationId, 0);
      const operation = toOperation(row, operationDependencies(dependencies).links, clock.now());
      return { ...operation, result: report === null ? null : JSON.parse(Buffer.from(report).toString()) };
    }
    await wait(POLL_MS, never);
  }
}

function readStatus(options: OptionValues): 'dead_letter' | 'succeeded' {
  const status = need(options, 'status');
  if (status !== 'dead_letter' && status !== 'succeeded')
    throw new UsageError('--status must be dead_letter or succeeded');
  return status;
}

function readSince({ since }: OptionValues): { since?: string } {
  if (since === undefined) return {};
  if (!/^\d{4}-\d{2}-\d{2}T/.test(since) || Number.isNaN(Date.parse(since)))
    throw new UsageError('--since must be an RFC 3339 time, e.g. 2026-11-20T10:00:00Z');
  return { since: new Date(since).toISOString() };
}
