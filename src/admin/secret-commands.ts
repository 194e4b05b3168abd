import { createSecretBox } from '../shared/secret-box.ts';
import { type Command, CommandRefused } from './command.ts';
import { type ReEncryption, reEncryptSecrets } from './re-encrypt.ts';

const secretReEncrypt: Command = {
  group: 'secret',
  verb: 're-encrypt',
  summary:
    'Re-encrypts every sealed secret under SECRET_KEY; needs the keys it replaces in SECRET_KEY_PREVIOUS; safe to repeat',
  options: {},
  example: '',
  async run({ config, database }, _options, report) {
    if (config.secretKey === undefined)
      throw new CommandRefused('SECRET_KEY is needed: the key that seals from now on');
    const result = await reEncryptSecrets(
      database,
      createSecretBox(config.secretKey, config.secretKeyPrevious),
      report,
    );
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
    return {
      ...result,
      message:
        'nothing is left under an earlier key: SECRET_KEY_PREVIOUS is no longer needed for stored secrets',
    };
  },
};

function unreadableOf({ webhookSecrets, storedResponses }: ReEncryption): number {
  return webhookSecrets.unreadable + storedResponses.unreadable;
}

function describe({ webhookSecrets, storedResponses }: ReEncryption): string {
  return `re-encrypted ${webhookSecrets.reEncrypted} webhook secrets and ${storedResponses.reEncrypted} stored responses`;
}

export const secretCommands = [secretReEncrypt];
