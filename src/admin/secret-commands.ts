import type { AdminConfig } from '../config/load.ts';
import { checkSecretKeys, keepSecretKeys } from '../db/secret-keys.ts';
import { createSecretBox, type SecretKeys } from '../shared/secret-box.ts';
import { type Command, CommandRefused } from './command.ts';
import { countSecrets, type ReEncryption, reEncryptSecrets } from './re-encrypt.ts';

const secretReEncrypt: Command = {
  group: 'secret',
  verb: 're-encrypt',
  summary:
    'Re-encrypts every sealed secret under SECRET_KEY; needs the keys it replaces in SECRET_KEY_PREVIOUS; safe to repeat',
  options: {},
  example: '',
  async run({ config, database }, _options, report) {
    const keys = needKeys(config);
    const refusal = await checkSecretKeys(database, keys, 'seal');
    if (refusal !== null) throw new CommandRefused(refusal);
    const box = createSecretBox(keys.secretKey, keys.secretKeyPrevious);
    const result = await reEncryptSecrets(database, box, report);
    const unreadable = unreadableOf(result);
    if (unreadable > 0) {
      throw new CommandRefused(
        `${unreadable} sealed secrets are under a key that is neither SECRET_KEY nor in SECRET_KEY_PREVIOUS: add that ` +
          `key and repeat; ${describe(result)}`,
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
  group: 'secret',
  verb: 'replace-lost-key',
  summary:
    'Lets processes start with SECRET_KEY when the previous key is lost; secrets sealed under that one stay unreadable',
  options: {},
  example: '--yes',
  destroys: {
    warning: () =>
      'Processes with another key no longer start, and endpoints whose secret is sealed under one sign nothing until their accounts rotate it',
  },
  async run({ config, database }, _options, report) {
    const keys = needKeys(config);
    await keepSecretKeys(database, keys);
    const box = createSecretBox(keys.secretKey, keys.secretKeyPrevious);
    const { found, unreadable } = await countSecrets(database, box, report);
    return { found, unreadable, message: 'processes start with this SECRET_KEY from now on' };
  },
};

function needKeys({ secretKey, secretKeyPrevious }: AdminConfig): SecretKeys {
  if (secretKey === undefined)
    throw new CommandRefused('SECRET_KEY is required: the key that seals from now on');
  return { secretKey, secretKeyPrevious };
}

function unreadableOf({ webhookSecrets, storedResponses }: ReEncryption): number {
  return webhookSecrets.unreadable + storedResponses.unreadable;
}

function describe({ webhookSecrets, storedResponses }: ReEncryption): string {
  return `re-encrypted ${webhookSecrets.reEncrypted} webhook secrets and ${storedResponses.reEncrypted} stored responses`;
}

export const secretCommands = [secretReEncrypt, secretReplaceLostKey];
