import { listEndpointOverviews } from '../features/webhooks/endpoints/list-endpoint-overviews.ts';
import { type Command, CommandRefused, needUuid } from './command.ts';

const endpointList: Command = {
  group: 'endpoint',
  verb: 'list',
  summary: 'List the webhook endpoints of an account, oldest first, with deliveries by status; no secrets',
  options: { account: { description: 'account id', required: true } },
  async run({ database }, options) {
    const accountId = needUuid(options, 'account');
    const endpoints = await listEndpointOverviews(database, accountId);
    if (endpoints === null) throw new CommandRefused(`account ${accountId} does not exist`);
    return { endpoints };
  },
};

export const endpointCommands = [endpointList];
