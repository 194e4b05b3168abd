import { createHash } from 'node:crypto';
import {
  insertServiceKey,
  listServiceKeys,
  revokeServiceKey,
} from '../features/identity/manage-service-keys.ts';
import { generateServiceKey } from '../shared/api-key.ts';
import { type ServiceGroup, serviceGroups } from '../shared/service-groups.ts';
import { type Command, CommandRefused, need, type OptionValues, UsageError, wholeNumber } from './command.ts';

const serviceKeyCreate: Command = {
  group: 'service-key',
  verb: 'create',
  summary: 'Create a key of the internal API; prints it, for the only time',
  options: {
    groups: { description: `comma-separated groups of ${serviceGroups.join(', ')}, or all`, required: true },
    name: { description: 'which backend uses it', required: true },
    'expires-in': { description: 'seconds until it expires; without it, never' },
  },
  async run({ database, clock }, options) {
    const now = clock.now();
    const expiresInSeconds = wholeNumber(options, 'expires-in', null);
    const { keyId, secret, text } = generateServiceKey();
    const key = {
      id: keyId,
      name: need(options, 'name'),
      secretHash: createHash('sha256').update(secret).digest(),
      groups: readGroups(options),
      createdAt: now,
      expiresAt: expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1000),
    };
    await insertServiceKey(database, key);
    const { id: _, secretHash: __, ...shown } = key;
    return { key: text, keyId, ...shown };
  },
};

const serviceKeyList: Command = {
  group: 'service-key',
  verb: 'list',
  summary: 'List the keys of the internal API, newest first; never shows the keys themselves',
  options: {},
  run: async ({ database }) => ({ keys: await listServiceKeys(database) }),
};

const serviceKeyRevoke: Command = {
  group: 'service-key',
  verb: 'revoke',
  summary: 'Revoke a key of the internal API, which refuses it within 5 seconds',
  options: { id: { description: 'key id: the second part of the key', required: true } },
  async run({ database, clock }, options) {
    const keyId = need(options, 'id');
    const revokedAt = await revokeServiceKey(database, keyId, clock.now());
    if (revokedAt === null) throw new CommandRefused(`service key ${keyId} does not exist`);
    return { keyId, revokedAt };
  },
};

export const serviceKeyCommands = [serviceKeyCreate, serviceKeyList, serviceKeyRevoke];

function readGroups(options: OptionValues): ServiceGroup[] {
  const text = need(options, 'groups');
  if (text === 'all') return [...serviceGroups];
  return text.split(',').map((part) => {
    const group = serviceGroups.find((candidate) => candidate === part.trim());
    if (group === undefined)
      throw new UsageError(`--groups: ${part} is not one of ${serviceGroups.join(', ')}`);
    return group;
  });
}
