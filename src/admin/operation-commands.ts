import { need } from '../../packages/client/src/cli/kit/command.ts';
import { choice, required, text, wholeNumber } from '../../packages/client/src/cli/kit/option.ts';
import type { Transaction } from '../db/client.ts';
import { cancelOperation } from '../features/operations/cancel-operation.ts';
import { createOperation } from '../features/operations/create-operation.ts';
import { toOperation } from '../features/operations/record.ts';
import { endManually, reportProgress } from '../features/operations/run-manually.ts';
import { type ProblemCode, problemTable } from '../shared/problem-table.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { type Command, needUuid, refusedAsUsage } from './command.ts';
import { operationDependencies } from './operation-dependencies.ts';
import { json, uuid } from './option.ts';

const ID = uuid('the operation', required);
const ID_EXAMPLE = '--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const problemCodes = Object.keys(problemTable) as readonly ProblemCode[];

const operationCreate: Command = {
  name: 'operation create',
  summary:
    'Creates an operation: the worker runs audience_export, delivery_replay and delivery_recovery, other kinds are driven by the next three',
  options: {
    account: uuid('owner of the operation', required),
    kind: text('kind of the operation, e.g. audience_export', required),
    input: json('input of the operation; checked for kinds that the worker runs', { default: '{}' }),
  },
  examples: [
    '--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --kind audience_export ' +
      '--input \'{"mintAddress":"7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj","minimumBalanceRaw":"1"}\'',
  ],
  async run(dependencies, options) {
    const { database, clock } = dependencies;
    const input: unknown = JSON.parse(need(options, 'input'));
    const operation = { accountId: needUuid(options, 'account'), kind: need(options, 'kind'), input };
    const row = await database.begin((transaction) => createOperation(transaction, clock, operation));
    return { ...toOperation(row, operationDependencies(dependencies).links, clock.now()) };
  },
};

const operationProgress: Command = {
  name: 'operation progress',
  summary: 'Reports progress of an operation that no worker runs; a queued one starts',
  options: {
    id: ID,
    completed: wholeNumber('done so far', 'count', { ...required, least: 0 }),
    total: wholeNumber('total number of items', 'count', { ...required, least: 0 }),
    unit: text('unit of the count, e.g. tokens'),
  },
  examples: [`${ID_EXAMPLE} --completed 20 --total 100 --unit tokens`],
  async run(dependencies, options) {
    const progress = {
      completed: BigInt(need(options, 'completed')),
      total: BigInt(need(options, 'total')),
      unit: options.unit ?? null,
    };
    const id = needUuid(options, 'id');
    return change(dependencies, (transaction, endContext) =>
      reportProgress(transaction, endContext, id, progress),
    );
  },
};

const operationSucceed: Command = {
  name: 'operation succeed',
  summary: 'Ends it as succeeded, with the address of a result if there is one',
  options: { id: ID, 'result-url': text('where the result is', { format: 'https address' }) },
  examples: [`${ID_EXAMPLE} --result-url https://results.example/1.csv`],
  async run(dependencies, options) {
    const resultUrl = options['result-url'] ?? null;
    const id = needUuid(options, 'id');
    return change(dependencies, (transaction, endContext) =>
      endManually(transaction, endContext, id, { status: 'succeeded', resultUrl }),
    );
  },
};

const operationFail: Command = {
  name: 'operation fail',
  summary: 'Ends it as failed, with a problem code',
  options: {
    id: ID,
    code: {
      ...choice('why, e.g. api_dependency_unavailable', problemCodes, required),
      format: 'problem code',
    },
    detail: text('one sentence for the client'),
  },
  examples: [`${ID_EXAMPLE} --code api_dependency_unavailable --detail 'The list of tokens cannot be read.'`],
  destroys: { warning: ({ id }) => `operation ${id} becomes failed for ever`, isPromisedToScripts: true },
  async run(dependencies, options) {
    const code = need(options, 'code') as ProblemCode;
    const id = needUuid(options, 'id');
    const requestId = `req_${crypto.randomUUID().replaceAll('-', '')}`;
    const end = { status: 'failed', code, detail: options.detail ?? null, requestId } as const;
    return change(dependencies, (transaction, endContext) => endManually(transaction, endContext, id, end));
  },
};

const operationCancel: Command = {
  name: 'operation cancel',
  summary: 'Cancels any operation; one that a worker runs stops at its next step',
  options: { id: ID },
  examples: [ID_EXAMPLE],
  destroys: { warning: ({ id }) => `operation ${id} becomes cancelled for ever`, isPromisedToScripts: true },
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
