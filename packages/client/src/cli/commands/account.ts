import type { Command } from '../command.ts';
import { required, text } from '../kit/option.ts';
import { operationCommand } from '../operation-command.ts';

export const identityCommands: readonly Command[] = [
  operationCommand({
    name: 'me',
    operation: 'getApiIdentity',
    summary: 'Show the account, wallet and scopes of the API key',
  }),
  operationCommand({
    name: 'keys list',
    operation: 'listApiKeys',
    summary: 'List the API keys of the account, newest first, with their last use',
    details: 'A key without the scope keys:write sees only itself. No secret is shown.',
    columns: 'id name scopes createdAt expiresAt revokedAt lastUsedAt',
    limit: { default: 50, most: 1_000 },
  }),
  operationCommand({
    name: 'keys revoke',
    operation: 'revokeApiKey',
    summary: 'Revoke an API key of the account; nothing takes that back',
    details:
      'A key may revoke itself; for others of the account it needs the scope keys:write. The service refuses the key within 5 seconds.',
    arguments: { keyId: text('id of the key: its third part', required) },
    examples: ['4fGh7Kq2LmNpRsTv'],
  }),
];

export const feeAccountCommand = operationCommand({
  name: 'fee-account',
  operation: 'getPlatformFeeAccount',
  summary: 'Show the address that gets the platform fees of your swaps, and the largest fee',
});
