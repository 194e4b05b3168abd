import { createHash } from 'node:crypto';
import { need, numberOr } from '../../packages/client/src/cli/kit/command.ts';
import { choices, chosen, required, text, wholeNumber } from '../../packages/client/src/cli/kit/option.ts';
import {
  insertServiceKey,
  listServiceKeys,
  revokeServiceKey,
} from '../features/identity/manage-service-keys.ts';
import { generateServiceKey } from '../shared/api-key.ts';
import { serviceGroups } from '../shared/service-groups.ts';
import { type Command, CommandRefused } from './command.ts';
import { label } from './option.ts';

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
      secretHash: createHash('sha256').update(secret).digest(),
      groups: chosen(need(options, 'groups'), serviceGroups),
      createdAt: now,
      expiresAt: expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1000),
    };
    await insertServiceKey(database, record);
    const { id: _, secretHash: __, ...shown } = record;
    return { key, keyId, ...shown };
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

export const serviceKeyCommands = [serviceKeyCreate, serviceKeyList, serviceKeyRevoke];
