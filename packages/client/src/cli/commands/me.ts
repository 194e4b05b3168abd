import type { Command } from '../command.ts';

export const meCommand: Command = {
  name: 'me',
  summary: 'Show the account, wallet and scopes of the API key',
  arguments: [],
  options: {},
  examples: ['launchwire me'],
  async run({ client, output, signal }) {
    output.record(await client().getApiIdentity({}, { signal }));
  },
};
