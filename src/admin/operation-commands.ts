import { choice, required, text, wholeNumber } from '../../packages/client/src/cli/kit/option.ts';
import { problemTable } from '../shared/problem-table.ts';
import type { Command } from './command.ts';
import { internalCommand } from './internal-command.ts';
import { json, uuid } from './option.ts';

const ID = { id: uuid('the operation', required) };
const ID_EXAMPLE = '--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const fields = { id: 'operationId' };

export const operationCommands: readonly Command[] = [
  internalCommand(
    'operation create',
    'createOperation',
    'Creates an operation: the worker runs audience_export, delivery_replay and delivery_recovery, other kinds are driven by the next three',
    {
      options: {
        account: uuid('owner of the operation', required),
        kind: text('kind of the operation, e.g. audience_export', required),
        input: json('input of the operation; checked for kinds that the worker runs', { default: '{}' }),
      },
      fields: { account: 'accountId' },
      examples: [
        `--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --kind audience_export --input '{"mintAddress":"7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj","minimumBalanceRaw":"1"}'`,
      ],
    },
  ),
  internalCommand(
    'operation progress',
    'reportOperationProgress',
    'Reports progress of an operation that no worker runs; a queued one starts',
    {
      options: {
        ...ID,
        completed: wholeNumber('done so far', 'count', { ...required, least: 0 }),
        total: wholeNumber('total number of items', 'count', { ...required, least: 0 }),
        unit: text('unit of the count, e.g. tokens'),
      },
      fields,
      judgedOptions: ['completed'],
      examples: [`${ID_EXAMPLE} --completed 20 --total 100 --unit tokens`],
    },
  ),
  internalCommand(
    'operation succeed',
    'succeedOperation',
    'Ends it as succeeded, with the address of a result if there is one',
    {
      options: { ...ID, 'result-url': text('where the result is', { format: 'https address' }) },
      fields,
      judgedOptions: ['result-url'],
      examples: [`${ID_EXAMPLE} --result-url https://results.example/1.csv`],
    },
  ),
  internalCommand('operation fail', 'failOperation', 'Ends it as failed, with a problem code', {
    options: {
      ...ID,
      code: {
        ...choice('why, e.g. api_dependency_unavailable', Object.keys(problemTable), required),
        format: 'problem code',
      },
      detail: text('one sentence for the client'),
    },
    fields,
    examples: [
      `${ID_EXAMPLE} --code api_dependency_unavailable --detail 'The list of tokens cannot be read.'`,
    ],
    destroys: { warning: ({ id }) => `operation ${id} becomes failed for ever`, isPromisedToScripts: true },
  }),
  internalCommand(
    'operation cancel',
    'cancelOperation',
    'Cancels any operation; one that a worker runs stops at its next step',
    {
      options: ID,
      fields,
      examples: [ID_EXAMPLE],
      destroys: {
        warning: ({ id }) => `operation ${id} becomes cancelled for ever`,
        isPromisedToScripts: true,
      },
    },
  ),
];
