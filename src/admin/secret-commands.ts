import type { AdminConfig } from '../config/load.ts';
import type { Database } from '../db/client.ts';
import { checkSecretKeys, keepSecretKeys } from '../db/secret-keys.ts';
import { readKeysOfWorkers } from '../db/worker-keys.ts';
import { createSecretBox, deriveKey, ORDER_KEY_PURPOSE, type SecretKeys } from '../shared/secret-box.ts';
import { type Command, CommandRefused } from './command.ts';
import {
  type Boxes,
  countSecrets,
  countSignedOrders,
  type ReEncryption,
  reEncryptSecrets,
  totalOf,
} from './re-encrypt.ts';

const secretReEncrypt: Command = {
  name: 'secret re-encrypt',
  summary:
    'Re-encrypts every sealed secret under SECRET_KEY, and signed orders under ORDER_KEYS; needs the keys it replaces in SECRET_KEY_PREVIOUS; safe to repeat',
  options: {},
  async run({ config, database }, _options, report) {
    const keys = needKeys(config);
    const boxes = boxesOf(keys, config);
    const refusal =
      (await checkSecretKeys(database, keys, 'seal')) ??
      (await orderKeysRefusal(database, config, boxes.orders));
    if (refusal !== null) throw new CommandRefused(refusal);
    const result = await reEncryptSecrets(database, boxes, report);
    const unreadable = totalOf(result, 'unreadable');
    if (unreadable > 0) {
      throw new CommandRefused(
        `${unreadable} sealed secrets are under a key that is neither SECRET_KEY nor in SECRET_KEY_PREVIOUS` +
          `${result.signedOrders.unreadable > 0 ? ' nor in ORDER_KEYS' : ''}: add that key and repeat; ${describe(result)}`,
      );
    }
    if (!result.isComplete) {
      throw new CommandRefused(
        `a process still seals under an earlier key: start all of them with this SECRET_KEY and repeat; ${describe(result)}`,
      );
    }
    await keepSecretKeys(database, { ...keys, secretKeyPrevious: [] });
    return {
      ...result,
      message:
        'no secret is sealed under an earlier key: SECRET_KEY_PREVIOUS is no longer needed for stored secrets',
    };
  },
};

const secretReplaceLostKey: Command = {
  name: 'secret replace-lost-key',
  summary:
    'Lets processes start with SECRET_KEY when the previous key is lost; secrets sealed under that one stay unreadable',
  options: {},
  examples: ['--yes'],
  destroys: {
    warning: () =>
      'Processes with another key no longer start, and endpoints whose secret is sealed under one sign nothing until their accounts rotate it',
  },
  async run({ config, database }, _options, report) {
    const keys = needKeys(config);
    await keepSecretKeys(database, keys);
    const { found, unreadable } = await countSecrets(database, boxesOf(keys, config), report);
    return { found, unreadable, message: 'processes start with this SECRET_KEY from now on' };
  },
};

function needKeys({ secretKey, secretKeyPrevious }: AdminConfig): SecretKeys {
  if (secretKey === undefined)
    throw new CommandRefused('SECRET_KEY is required: the key that seals from now on');
  return { secretKey, secretKeyPrevious };
}

/** Since `SECRET_KEY` is set, there is a key of orders too: its own, or the one derived from it. */
export function boxesOf({ secretKey, secretKeyPrevious }: SecretKeys, { orderKeys }: AdminConfig): Boxes {
  const [orderKey = secretKey, ...otherOrderKeys] = orderKeys;
  return {
    secrets: createSecretBox(secretKey, secretKeyPrevious),
    orders: createSecretBox(orderKey, otherOrderKeys),
  };
}

/** True for the first key of a purpose if nobody set keys for that purpose. */
export function isDerivedKey(first: Uint8Array, purpose: string, { secretKey }: AdminConfig): boolean {
  return secretKey !== undefined && Buffer.from(first).equals(deriveKey(secretKey, purpose));
}

/**
 * Says why orders may not be sealed under the first of these keys: nobody could send them. Null if they may, or if
 * all of them are sealed under it already.
 */
async function orderKeysRefusal(
  database: Database,
  config: AdminConfig,
  box: Boxes['orders'],
): Promise<string | null> {
  const [key] = config.orderKeys;
  if (key === undefined) return null;
  const isDerived = isDerivedKey(key, ORDER_KEY_PURPOSE, config);
  const { underEarlierKey, unreadable } = await countSignedOrders(database, box);
  if (unreadable > 0 && isDerived)
    return `ORDER_KEYS is not set, and ${unreadable} signed orders are under a key that is not derived from SECRET_KEY: give this command the ORDER_KEYS of api and worker; nothing was changed`;
  if (underEarlierKey === 0) return null;
  const workers = await readKeysOfWorkers(database);
  if (workers?.opensOrders(key)) return null;
  const waiting = `${underEarlierKey} signed orders would be under a key that no worker is known to have`;
  if (workers === null)
    return `no worker has run within the last 90 seconds, and ${waiting}: start the workers with this ORDER_KEYS and repeat; nothing was changed`;
  return isDerived
    ? `ORDER_KEYS is not set, and ${waiting}: give this command the ORDER_KEYS of api and worker; nothing was changed`
    : `no running worker has the first of ORDER_KEYS, and ${waiting}: start the workers with this ORDER_KEYS and repeat; nothing was changed`;
}

function describe({ webhookSecrets, storedResponses, signedOrders }: ReEncryption): string {
  return (
    `re-encrypted ${webhookSecrets.reEncrypted} webhook secrets, ${storedResponses.reEncrypted} stored responses ` +
    `and ${signedOrders.reEncrypted} signed orders`
  );
}

export const secretCommands = [secretReEncrypt, secretReplaceLostKey];
