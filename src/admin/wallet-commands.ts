import { choice, required, text } from '../../packages/client/src/cli/kit/option.ts';
import { upsertWallet } from '../features/predictions/submissions/upsert-wallet.ts';
import { checkedWallet } from '../features/predictions/submissions/wallet-change.ts';
import { type Command, refusedAsUsage } from './command.ts';
import { address } from './option.ts';
import { needWallet } from './wallet-option.ts';

const walletUpsert: Command = {
  name: 'wallet upsert',
  summary:
    'Sets username and verification of a wallet, which predictions require; an option that is left out keeps its value',
  options: {
    address: address('the wallet', required),
    username: text('1 to 64 characters, shown in standings'),
    verified: choice('whether the wallet is verified', ['true', 'false'], {
      ifUnset: 'unchanged, and false for a new wallet',
    }),
  },
  examples: ['--address 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --username Ada --verified true'],
  async run({ database, clock }, options) {
    const { username, verified } = options;
    const change = {
      address: needWallet(options, 'address'),
      ...(username !== undefined && { username }),
      ...(verified !== undefined && { verified: verified === 'true' }),
    };
    const wallet = await refusedAsUsage({ '/username': 'username' }, () => checkedWallet(change));
    return { ...(await database.begin((transaction) => upsertWallet(transaction, clock, wallet))) };
  },
};

export const walletCommands = [walletUpsert];
