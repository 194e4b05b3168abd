import { need } from '../../packages/client/src/cli/kit/command.ts';
import { required } from '../../packages/client/src/cli/kit/option.ts';
import { createRentSource } from '../chain/rent-source.ts';
import { feeAccountFault } from '../features/trading/fee-account.ts';
import { findFeeAccount, removeFeeAccount, setFeeAccount } from '../features/trading/fee-account-rows.ts';
import { readAccounts } from '../features/trading/pool-facts.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { type Command, CommandRefused, needUuid } from './command.ts';
import { address, uuid } from './option.ts';

const ACCOUNT = { account: uuid('whose swaps pay the fees', required) };
const EXAMPLE = '--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';

const feeAccountSet: Command = {
  name: 'fee-account set',
  summary:
    'Registers the address that gets the platform fees of an account’s swaps, in place of an earlier one',
  options: { ...ACCOUNT, address: address('gets the fees; it must hold its rent', required) },
  examples: [`${EXAMPLE} --address 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj`],
  async run(dependencies, options) {
    const { database, clock } = dependencies;
    const [accountId, feeAddress] = [needUuid(options, 'account'), need(options, 'address')];
    await requireUsable(dependencies, feeAddress);
    const account = await setFeeAccount(database, { accountId, address: feeAddress, now: clock.now() });
    if (account === null) throw new CommandRefused(`there is no account ${accountId}`);
    return { ...account };
  },
};

const feeAccountShow: Command = {
  name: 'fee-account show',
  summary: 'Shows the address that gets the platform fees of an account’s swaps',
  options: ACCOUNT,
  examples: [EXAMPLE],
  async run({ database }, options) {
    const accountId = needUuid(options, 'account');
    return { ...((await findFeeAccount(database, accountId)) ?? notRegistered(accountId)) };
  },
};

const feeAccountRemove: Command = {
  name: 'fee-account remove',
  summary:
    'Removes it: swaps with a platform fee are refused from now on, and those prepared before may still pay it',
  options: ACCOUNT,
  examples: [EXAMPLE],
  async run({ database }, options) {
    const accountId = needUuid(options, 'account');
    return { ...((await removeFeeAccount(database, accountId)) ?? notRegistered(accountId)) };
  },
};

export const feeAccountCommands = [feeAccountSet, feeAccountShow, feeAccountRemove];

/** Throws unless the chain lets the address take fees of any size, and its owner move them on. */
async function requireUsable({ rpcs, clock }: AdminDependencies, feeAddress: string): Promise<void> {
  if (rpcs.length === 0)
    throw new CommandRefused('SOLANA_RPC_URL is missing: the address is checked on chain');
  const nodes = { rpcs, clock };
  const [{ accounts }, rentOf] = await Promise.all([
    readAccounts(nodes, [feeAddress]),
    createRentSource(nodes, { current: () => null })(),
  ]);
  if (rentOf === null) throw new CommandRefused('no node shows the rent of accounts');
  const fault = feeAccountFault(accounts.get(feeAddress) ?? null, rentOf);
  if (fault !== null) throw new CommandRefused(`--address ${fault}`);
}

function notRegistered(accountId: string): never {
  throw new CommandRefused(`account ${accountId} has no fee account`);
}
