import { createHash } from 'node:crypto';
import { isUsableWallet } from '../chain/signature.ts';
import { apiEnvironments } from '../db/schema/accounts.ts';
import { insertKey, listKeys, revokeKey } from '../features/identity/manage-keys.ts';
import { decodeAddress } from '../shared/address.ts';
import { generateApiKey } from '../shared/api-key.ts';
import { type Scope, scopes } from '../shared/scopes.ts';
import {
  type Command,
  CommandRefused,
  need,
  needUuid,
  type OptionValues,
  UsageError,
  wholeNumber,
} from './command.ts';

const keyCreate: Command = {
  group: 'key',
  verb: 'create',
  summary: 'Create an API key; prints it, for the only time',
  options: {
    account: { description: 'account id, or new', required: true },
    wallet: { description: 'the wallet the key is pinned to', required: true },
    scopes: { description: 'comma-separated scopes, or all', required: true },
    name: { description: 'what the key is for' },
    env: { description: 'live or test; default API_ENVIRONMENT' },
    'expires-in': { description: 'seconds until it expires; without it, never' },
  },
  async run({ database, clock, config }, options) {
    const environment = readEnvironment(options, config.apiEnvironment);
    const now = clock.now();
    const expiresInSeconds = wholeNumber(options, 'expires-in', null);
    const key = generateApiKey(environment);
    const record = {
      id: key.keyId,
      accountId: options.account === 'new' ? Bun.randomUUIDv7() : needUuid(options, 'account'),
      environment,
      name: options.name ?? 'unnamed',
      secretHash: createHash('sha256').update(key.secret).digest(),
      walletAddress: readWallet(options),
      scopes: readScopes(options),
      createdAt: now,
      expiresAt: expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1000),
    };
    const stored = await insertKey(database, record, options.account === 'new');
    if (!stored) throw new CommandRefused(`account ${record.accountId} does not exist`);
    const { id: keyId, secretHash: _, ...shown } = record;
    return { key: key.text, keyId, ...shown };
  },
};

const keyList: Command = {
  group: 'key',
  verb: 'list',
  summary: 'List the keys of an account, newest first; never shows the keys themselves',
  options: { account: { description: 'account id', required: true } },
  run: async ({ database }, options) => ({ keys: await listKeys(database, needUuid(options, 'account')) }),
};

const keyRevoke: Command = {
  group: 'key',
  verb: 'revoke',
  summary: 'Revoke a key; every process refuses it within 5 seconds',
  options: { id: { description: 'key id: the third part of the key', required: true } },
  async run({ database, clock }, options) {
    const keyId = need(options, 'id');
    const revokedAt = await revokeKey(database, keyId, clock.now());
    if (revokedAt === null) throw new CommandRefused(`key ${keyId} does not exist`);
    return { keyId, revokedAt };
  },
};

export const keyCommands = [keyCreate, keyList, keyRevoke];

function readEnvironment({ env }: OptionValues, deployment: 'live' | 'test'): 'live' | 'test' {
  const environment = env === undefined ? deployment : apiEnvironments.find((candidate) => candidate === env);
  if (environment === undefined) throw new UsageError('--env must be live or test');
  return environment;
}

function readWallet(options: OptionValues): string {
  const wallet = need(options, 'wallet');
  const publicKey = decodeAddress(wallet);
  if (publicKey === null) throw new UsageError('--wallet must be a base58 address of 32 bytes');
  if (!isUsableWallet(publicKey))
    throw new CommandRefused('--wallet is a small-order point: anyone could sign for it');
  return wallet;
}

function readScopes(options: OptionValues): Scope[] {
  const text = need(options, 'scopes');
  if (text === 'all') return [...scopes];
  return text.split(',').map((part) => {
    const scope = scopes.find((candidate) => candidate === part.trim());
    if (scope === undefined) throw new UsageError(`--scopes: ${part} is not one of ${scopes.join(', ')}`);
    return scope;
  });
}
