import { listAccounts } from '../features/identity/list-accounts.ts';
import type { Command } from './command.ts';
import { address } from './option.ts';
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

export const accountCommands = [accountList];
