import type { Transaction } from '../db/client.ts';
import { cancelOperation } from '../features/operations/cancel-operation.ts';
import { createOperation } from '../features/operations/create-operation.ts';
import { toOperation } from '../features/operations/record.ts';
import { endManually, reportProgress } from '../features/operations/run-manually.ts';
import { problemTable } from '../shared/problem-table.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import {
  type Command,
  need,
  needUuid,
  type OptionValues,
  parseJsonOption,
  refusedAsUsage,
  UsageError,
} from './command.ts';
import { operationDependencies } from './operation-dependencies.ts';

const ID = { description: 'operation id', required: true };

const operationCreate: Command = {
  group: 'operation',
  verb: 'create',
  summary:
    'Create an operation; the worker runs audience_export and delivery_replay, others are run with these commands',
  options: {
    account: { description: 'account id', required: true },
    kind: { description: 'what it does, e.g. audience_export', required: true },
    input: { description: 'JSON; checked for the kinds that the worker runs; default {}' },
  },
  async run(dependencies, options) {
    const { database, clock } = dependencies;
    const input = options.input === undefined ? {} : parseJsonOption('input', options.input);
    const operation = { accountId: needUuid(options, 'account'), kind: need(options, 'kind'), input };
    const row = await database.begin((transaction) => createOperation(transaction, clock, operation));
    return { ...toOperation(row, operationDependencies(dependencies).links, clock.now()) };
  },
};

const operationProgress: Command = {
  group: 'operation',
  verb: 'progress',
  summary: 'Report progress of an operation that no worker runs; a queued one starts',
  options: {
    id: ID,
    completed: { description: 'done so far', required: true },
    total: { description: 'all there is to do', required: true },
    unit: { description: 'what is counted, e.g. tokens' },
  },
  async run(dependencies, options) {
    const progress = {
      completed: count(options, 'completed'),
      total: count(options, 'total'),
      unit: options.unit ?? null,
    };
    const id = needUuid(options, 'id');
    return change(dependencies, (transaction, endContext) =>
      reportProgress(transaction, endContext, id, progress),
    );
  },
};

const operationSucceed: Command = {
  group: 'operation',
  verb: 'succeed',
  summary: 'End an operation that no worker runs as succeeded',
  options: { id: ID, 'result-url': { description: 'https address of the result' } },
  async run(dependencies, options) {
    const resultUrl = options['result-url'] ?? null;
    const id = needUuid(options, 'id');
    return change(dependencies, (transaction, endContext) =>
      endManually(transaction, endContext, id, { status: 'succeeded', resultUrl }),
    );
  },
};

const operationFail: Command = {
  group: 'operation',
  verb: 'fail',
  summary: 'End an operation that no worker runs as failed',
  options: {
    id: ID,
    code: { description: 'problem code, e.g. api_dependency_unavailable', required: true },
    detail: { description: 'one sentence for the client' },
  },
  async run(dependencies, options) {
    const code = (Object.keys(problemTable) as (keyof typeof problemTable)[]).find(
      (candidate) => candidate === options.code,
    );
    if (code === undefined) throw new UsageError(`--code ${options.code} is not a problem code`);
    const id = needUuid(options, 'id');
    const requestId = `req_${crypto.randomUUID().replaceAll('-', '')}`;
    const end = { status: 'failed', code, detail: options.detail ?? null, requestId } as const;
    return change(dependencies, (transaction, endContext) => endManually(transaction, endContext, id, end));
  },
};

const operationCancel: Command = {
  group: 'operation',
  verb: 'cancel',
  summary: 'Cancel an operation; one that a worker runs stops at its next step',
  options: { id: ID },
  async run(dependencies, options) {
    const id = needUuid(options, 'id');
    const { operation, isRequested } = await change(dependencies, (transaction, endContext) =>
      cancelOperation(transaction, endContext, id),
    );
    return { ...operation, cancelRequested: isRequested };
  },
};

export const operationCommands = [
  operationCreate,
  operationProgress,
  operationSucceed,
  operationFail,
  operationCancel,
];

type EndContext = ReturnType<typeof operationDependencies>;

/** Runs a change in a transaction of its own. */
async function change<Value extends object>(
  dependencies: AdminDependencies,
  work: (transaction: Transaction, endContext: EndContext) => Promise<Value>,
): Promise<{ [Key in keyof Value]: Value[Key] }> {
  const outcome = { value: null as Value | null };
  await refusedAsUsage({ '/completed': 'completed', '/resultUrl': 'result-url' }, () =>
    dependencies.database.begin(async (transaction) => {
      outcome.value = await work(transaction, operationDependencies(dependencies));
    }),
  );
  if (outcome.value === null) throw new Error('the transaction yielded nothing');
  return outcome.value;
}

function count(options: OptionValues, name: string): bigint {
  const text = need(options, name);
  if (!/^(0|[1-9]\d{0,14})$/.test(text)) throw new UsageError(`--${name} must be a whole number`);
  return BigInt(text);
}
