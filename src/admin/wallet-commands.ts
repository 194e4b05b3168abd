import { upsertWallet } from '../features/predictions/submissions/upsert-wallet.ts';
import { checkedWallet } from '../features/predictions/submissions/wallet-change.ts';
import { type Command, type OptionValues, refusedAsUsage, UsageError } from './command.ts';
import { needWallet } from './wallet-option.ts';

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
    const { username } = options;
    const verified = readVerified(options);
    const change = {
      address: needWallet(options, 'address'),
      ...(username !== undefined && { username }),
      ...(verified !== undefined && { verified }),
    };
    const wallet = await refusedAsUsage({ '/username': 'username' }, () => checkedWallet(change));
    return { ...(await database.begin((transaction) => upsertWallet(transaction, clock, wallet))) };
  },
};

export const walletCommands = [walletUpsert];

function readVerified({ verified }: OptionValues): boolean | undefined {
  if (verified === undefined) return undefined;
  if (verified !== 'true' && verified !== 'false') throw new UsageError('--verified must be true or false');
  return verified === 'true';
}
