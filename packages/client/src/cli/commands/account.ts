import type { Command } from '../command.ts';
import { required, text } from '../kit/option.ts';
import { operationCommand } from '../operation-command.ts';

export const identityCommands: readonly Command[] = [
  operationCommand('me', 'getApiIdentity', 'Show the account, wallet and scopes of the API key'),
  operationCommand(
    'keys list',
    'listApiKeys',
    'List the API keys of the account, newest first, with their last use',
    {
      details: 'A key without the scope keys:write sees only itself. No secret is shown.',
      columns: 'id name scopes createdAt expiresAt revokedAt lastUsedAt',
      limit: { default: 50, most: 1_000 },
    },
  ),
  operationCommand(
    'keys revoke',
    'revokeApiKey',
    'Revoke an API key of the account; nothing takes that back',
    {
      details:
        'A key may revoke itself; for others of the account it needs the scope keys:write. The service refuses the key within 5 seconds.',
      arguments: {
        keyId: text('id of the key: its third part', { ...required, example: '4fGh7Kq2LmNpRsTv' }),
      },
    },
  ),
];

export const feeAccountCommand = operationCommand(
  'fee-account',
  'getPlatformFeeAccount',
  'Show the address that gets the platform fees of your swaps, and the largest fee',
);
