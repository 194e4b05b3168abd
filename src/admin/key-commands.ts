import { createHash } from 'node:crypto';
import { apiEnvironments } from '../db/values/accounts.ts';
import { accountExists } from '../features/identity/list-accounts.ts';
import { insertKey, listKeys } from '../features/identity/manage-keys.ts';
import { findKeyAccount, revokeKey } from '../features/identity/revoke-key.ts';
import { generateApiKey } from '../shared/api-key.ts';
import { scopes } from '../shared/scopes.ts';
import { type Command, CommandRefused, need, needUuid, numberOr } from './command.ts';
import { address, choice, choices, chosen, label, required, text, uuid, wholeNumber } from './option.ts';
import { needWallet } from './wallet-option.ts';

const keyCreate: Command = {
  group: 'key',
  verb: 'create',
  summary: 'Creates an API key for a wallet, in a new or an existing account; prints it this one time only',
  options: {
    account: uuid('account of the key, or `new`', { ...required, or: 'new' }),
    wallet: address('wallet that the key is pinned to', required),
    scopes: choices('rights of the key', scopes, required),
    name: label('name of the key', { default: 'unnamed' }),
    env: choice('environment that accepts the key', apiEnvironments, { default: 'API_ENVIRONMENT' }),
    'expires-in': wholeNumber('time until it expires', 'seconds', { default: 'never' }),
  },
  example:
    '--account new --wallet 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --scopes operations:read,webhooks:read --name reports',
  async run({ database, clock, config }, options) {
    const environment =
      options.env === 'live' || options.env === 'test' ? options.env : config.apiEnvironment;
    const now = clock.now();
    const expiresInSeconds = numberOr(options, 'expires-in', null);
    const key = generateApiKey(environment);
    const record = {
      id: key.keyId,
      accountId: options.account === 'new' ? Bun.randomUUIDv7() : needUuid(options, 'account'),
      environment,
      name: options.name ?? 'unnamed',
      secretHash: createHash('sha256').update(key.secret).digest(),
      walletAddress: needWallet(options, 'wallet'),
      scopes: chosen(need(options, 'scopes'), scopes),
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
  summary: 'Lists the keys of an account with their last use, newest first, without their secrets',
  options: { account: uuid('account of the keys', required) },
  example: '--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  async run({ database }, options) {
    const accountId = needUuid(options, 'account');
    if (!(await accountExists(database, accountId)))
      throw new CommandRefused(`account ${accountId} does not exist`);
    return { keys: await listKeys(database, accountId) };
  },
};

const keyRevoke: Command = {
  group: 'key',
  verb: 'revoke',
  summary: 'Revokes a key; every process refuses it within 5 seconds, and its account gets an event',
  options: { id: text('the third part of the key', { ...required, format: 'key id' }) },
  example: '--id 4fGh7Kq2LmNpRsTv',
  destroys: {
    warning: ({ id }) => `key ${id} is revoked for ever`,
    isPromisedToScripts: true,
  },
  async run({ database, outbox, clock }, options) {
    const keyId = need(options, 'id');
    const revoked = await database.begin(async (transaction) => {
      const accountId = await findKeyAccount(transaction, keyId);
      if (accountId === null) throw new CommandRefused(`key ${keyId} does not exist`);
      return revokeKey(transaction, { keyId, accountId, by: null }, { outbox, clock });
    });
    return { keyId, revokedAt: revoked?.revokedAt ?? null };
  },
};

export const keyCommands = [keyCreate, keyList, keyRevoke];
