import { need, numberOr } from '../../packages/client/src/cli/kit/command.ts';
import {
  choice,
  choices,
  chosen,
  required,
  text,
  wholeNumber,
} from '../../packages/client/src/cli/kit/option.ts';
import { apiEnvironments } from '../db/values/accounts.ts';
import { insertKey, listKeys } from '../features/identity/key-rows.ts';
import { accountExists, listAccounts } from '../features/identity/list-accounts.ts';
import { findKeyAccount, revokeKey } from '../features/identity/revoke-key.ts';
import {
  insertServiceKey,
  listServiceKeys,
  revokeServiceKey,
} from '../features/identity/service-key-rows.ts';
import { generateApiKey, generateServiceKey, hashSecret } from '../shared/api-key.ts';
import { scopes } from '../shared/scopes.ts';
import { serviceGroups } from '../shared/service-groups.ts';
import { timedId } from '../shared/timed-id.ts';
import { type Command, CommandRefused, needUuid, needWallet } from './command.ts';
import { address, label, uuid } from './option.ts';
import { nextOf, pageOptions, readPage } from './page-options.ts';

const accountList: Command = {
  name: 'account list',
  summary: 'Lists accounts, newest first, with their usable keys and the wallets of all their keys',
  options: {
    wallet: address('only accounts with a key of this wallet'),
    ...pageOptions('accounts'),
  },
  examples: ['--wallet 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj'],
  async run({ database, clock }, options) {
    const page = await listAccounts(database, {
      wallet: options.wallet,
      now: clock.now(),
      ...readPage(options),
    });
    return { accounts: page.items, next: nextOf(page) };
  },
};

const keyCreate: Command = {
  name: 'key create',
  summary: 'Creates an API key for a wallet, in a new or an existing account; prints it this one time only',
  options: {
    account: uuid('account of the key, or `new`', { ...required, or: 'new' }),
    wallet: address('wallet that the key is pinned to', required),
    scopes: choices('rights of the key', scopes, required),
    name: label('name of the key', { default: 'unnamed' }),
    env: choice('environment that accepts the key', apiEnvironments, { ifUnset: 'API_ENVIRONMENT' }),
    'expires-in': wholeNumber('time until it expires', 'seconds', { ifUnset: 'it never expires' }),
  },
  examples: [
    '--account new --wallet 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --scopes operations:read,webhooks:read --name reports',
  ],
  async run({ database, clock, config }, options) {
    const environment =
      options.env === 'live' || options.env === 'test' ? options.env : config.apiEnvironment;
    const now = clock.now();
    const expiresInSeconds = numberOr(options, 'expires-in', null);
    const key = generateApiKey(environment);
    const record = {
      id: key.keyId,
      accountId: options.account === 'new' ? timedId(now) : needUuid(options, 'account'),
      environment,
      name: need(options, 'name'),
      secretHash: hashSecret(key.secret),
      walletAddress: needWallet(options, 'wallet'),
      scopes: chosen(need(options, 'scopes'), scopes),
      createdAt: now,
      expiresAt: expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1000),
    };
    const isStored = await insertKey(database, record, options.account === 'new');
    if (!isStored) throw new CommandRefused(`account ${record.accountId} does not exist`);
    const { id: keyId, secretHash: _, ...fields } = record;
    return { key: key.text, keyId, ...fields };
  },
};

const keyList: Command = {
  name: 'key list',
  summary: 'Lists the keys of an account with their last use, newest first, without their secrets',
  options: { account: uuid('account of the keys', required) },
  examples: ['--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
  async run({ database }, options) {
    const accountId = needUuid(options, 'account');
    if (!(await accountExists(database, accountId)))
      throw new CommandRefused(`account ${accountId} does not exist`);
    return { keys: await listKeys(database, accountId) };
  },
};

const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Revokes a key; every process refuses it within 5 seconds, and its account gets an event',
  options: { id: text('the third part of the key', { ...required, format: 'key id' }) },
  examples: ['--id 4fGh7Kq2LmNpRsTv'],
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

const serviceKeyCreate: Command = {
  name: 'service-key create',
  summary: 'Creates a key of the internal API for groups of its operations; prints it this one time only',
  options: {
    groups: choices('rights of the key', serviceGroups, required),
    name: label('name of the backend that uses it', required),
    'expires-in': wholeNumber('time until it expires', 'seconds', { ifUnset: 'it never expires' }),
  },
  examples: [`--groups ${serviceGroups[0]} --name backend`],
  async run({ database, clock }, options) {
    const now = clock.now();
    const expiresInSeconds = numberOr(options, 'expires-in', null);
    const { keyId, secret, text: key } = generateServiceKey();
    const record = {
      id: keyId,
      name: need(options, 'name'),
      secretHash: hashSecret(secret),
      groups: chosen(need(options, 'groups'), serviceGroups),
      createdAt: now,
      expiresAt: expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1000),
    };
    await insertServiceKey(database, record);
    const { id: _, secretHash: __, ...fields } = record;
    return { key, keyId, ...fields };
  },
};

const serviceKeyList: Command = {
  name: 'service-key list',
  summary: 'Lists the keys of the internal API, newest first, without their secrets',
  options: {},
  run: async ({ database }) => ({ keys: await listServiceKeys(database) }),
};

const serviceKeyRevoke: Command = {
  name: 'service-key revoke',
  summary: 'Revokes a key of the internal API, which refuses it within 5 seconds',
  options: { id: text('the second part of the key', { ...required, format: 'key id' }) },
  examples: ['--id 4fGh7Kq2LmNpRsTv --yes'],
  destroys: { warning: ({ id }) => `service key ${id} is revoked for ever` },
  async run({ database, clock }, options) {
    const keyId = need(options, 'id');
    const revokedAt = await revokeServiceKey(database, keyId, clock.now());
    if (revokedAt === null) throw new CommandRefused(`service key ${keyId} does not exist`);
    return { keyId, revokedAt };
  },
};

export const accountCommands = [
  accountList,
  keyCreate,
  keyList,
  keyRevoke,
  serviceKeyCreate,
  serviceKeyList,
  serviceKeyRevoke,
];
