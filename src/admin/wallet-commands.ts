import { upsertWallet } from '../features/predictions/submissions/upsert-wallet.ts';
import { type Command, type OptionValues, UsageError } from './command.ts';
import { needWallet } from './wallet-option.ts';

/** 1 to 64 characters, no control characters: standings show it publicly. */
const USERNAME = /^[^\p{Cc}\p{Cs}]{1,64}$/u;

const walletUpsert: Command = {
  group: 'wallet',
  verb: 'upsert',
  summary: 'Set the username or verification of a wallet; an option that is left out keeps its value',
  options: {
    address: { description: 'the wallet', required: true },
    username: { description: '1 to 64 characters, shown in standings' },
    verified: { description: 'true or false; false by default' },
  },
  async run({ database, clock }, options) {
    const wallet = {
      address: needWallet(options, 'address'),
      username: readUsername(options),
      verified: readVerified(options),
    };
    return { ...(await database.begin((transaction) => upsertWallet(transaction, clock, wallet))) };
  },
};

export const walletCommands = [walletUpsert];

function readUsername({ username }: OptionValues): string | undefined {
  if (username !== undefined && !USERNAME.test(username))
    throw new UsageError('--username must have 1 to 64 characters and no control characters');
  return username;
}

function readVerified({ verified }: OptionValues): boolean | undefined {
  if (verified === undefined) return undefined;
  if (verified !== 'true' && verified !== 'false') throw new UsageError('--verified must be true or false');
  return verified === 'true';
}
