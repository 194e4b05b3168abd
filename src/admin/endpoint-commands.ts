import { required } from '../../packages/client/src/cli/kit/option.ts';
import {
  inspectEndpoint,
  listEndpointOverviews,
} from '../features/webhooks/endpoints/list-endpoint-overviews.ts';
import { setEndpointStatus } from '../features/webhooks/endpoints/set-endpoint-status.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { type Command, CommandRefused, needUuid } from './command.ts';
import { uuid } from './option.ts';

const ID = { id: uuid('the endpoint', required) };
const ID_EXAMPLE = '--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const ACCOUNT_EXAMPLE = '--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';

const endpointList: Command = {
  name: 'endpoint list',
  summary: 'Lists the webhook endpoints of an account, oldest first, with their deliveries by status',
  options: { account: uuid('whose endpoints', required) },
  examples: [ACCOUNT_EXAMPLE],
  async run({ database }, options) {
    const accountId = needUuid(options, 'account');
    const endpoints = await listEndpointOverviews(database, accountId);
    if (endpoints === null) throw new CommandRefused(`account ${accountId} does not exist`);
    return { endpoints };
  },
};

const endpointShow: Command = {
  name: 'endpoint show',
  summary: 'Shows an endpoint of any account: its owner, a pause, and its deliveries by status',
  options: ID,
  examples: [ID_EXAMPLE],
  run: (dependencies, options) => show(dependencies, needUuid(options, 'id')),
};

const endpointEnable: Command = {
  name: 'endpoint enable',
  summary: 'Enables a disabled endpoint: forgets its failures and a pause, and sends it a ping',
  options: ID,
  examples: [ID_EXAMPLE],
  run: (dependencies, options) => switchTo(dependencies, needUuid(options, 'id'), 'enabled'),
};

const endpointDisable: Command = {
  name: 'endpoint disable',
  summary:
    'Disables an endpoint, and sends an event to the other endpoints of its account; its owner can enable it again',
  options: ID,
  examples: [`${ID_EXAMPLE} --yes`],
  destroys: {
    warning: ({ id }) =>
      `endpoint ${id} gets the events that it misses only if its account requests a recovery`,
  },
  run: (dependencies, options) => switchTo(dependencies, needUuid(options, 'id'), 'disabled'),
};

export const endpointCommands = [endpointList, endpointShow, endpointEnable, endpointDisable];

async function show({ database }: AdminDependencies, id: string): Promise<Record<string, unknown>> {
  const endpoint = await inspectEndpoint(database, id);
  if (endpoint === null) throw new CommandRefused(`endpoint ${id} does not exist`);
  return { ...endpoint };
}

async function switchTo(
  dependencies: AdminDependencies,
  id: string,
  status: 'enabled' | 'disabled',
): Promise<Record<string, unknown>> {
  await dependencies.database.begin((transaction) =>
    setEndpointStatus(transaction, id, status, dependencies),
  );
  return show(dependencies, id);
}
