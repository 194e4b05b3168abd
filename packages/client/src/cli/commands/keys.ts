import { argumentOf, type Command, numberOf } from '../command.ts';
import { take } from '../take.ts';

export const keyCommands: readonly Command[] = [
  {
    name: 'keys list',
    summary: 'List the API keys of the account, newest first, with their last use',
    details: 'A key without the scope keys:write sees only itself. No secret is shown.',
    arguments: [],
    options: { limit: { kind: 'text', value: 'N', help: 'how many, from 1 to 1000', default: '50' } },
    examples: ['launchwire keys list'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const keys = client().listApiKeys.all({}, { signal });
      const rows = await take(keys, numberOf(invocation, 'limit', 1, 1_000) ?? 50);
      output.table(rows, ['id', 'name', 'scopes', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt']);
    },
  },
  {
    name: 'keys revoke',
    summary: 'Revoke an API key of the account; nothing takes that back',
    details:
      'A key may revoke itself; for others of the account it needs the scope keys:write. The service refuses the key within 5 seconds.',
    arguments: [{ name: 'key', help: 'id of the key: its third part', required: true }],
    options: {},
    examples: ['launchwire keys revoke 4fGh7Kq2LmNpRsTv'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      output.record(await client().revokeApiKey({ keyId: argumentOf(invocation, 'key') }, { signal }));
    },
  },
];
