import { accountJson } from '../account-json.ts';
import { type RpcContext, type RpcMethods, withContext } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { addressOf, configAt, contextSlotOf } from '../rpc-params.ts';
import {
  decodeMint,
  decodeTokenAccount,
  isTokenProgram,
  type Mint,
  type TokenAccount,
  type UiTokenAmount,
  uiTokenAmount,
} from '../token-accounts.ts';
import type { StoredAccount } from '../vm.ts';
import { accountsAt } from './accounts.ts';

const LARGEST = 20;

/** Balances, supplies and holders of both token programs. A listing scans the program: 10 us per token account. */
export const tokenMethods: RpcMethods = {
  getTokenAccountsByOwner: (context, params) => {
    const owner = addressOf(params[0]);
    return listTokenAccounts(context, params, (token) => token.owner === owner);
  },
  getTokenAccountsByDelegate: (context, params) => {
    const delegate = addressOf(params[0]);
    return listTokenAccounts(context, params, (token) => token.delegate === delegate);
  },
  getTokenAccountBalance: (context, params) => {
    const slot = contextSlotOf(context, configAt(params, 1));
    const account = context.ledger.accountAt(addressOf(params[0]), slot);
    const token = account === null ? null : decodeTokenAccount(account);
    if (token === null) throw invalidParams('Invalid param: not a Token account');
    return withContext(slot, mintAt(context, token.mint, slot).display(token.amount));
  },
  getTokenSupply: (context, params) => {
    const slot = contextSlotOf(context, configAt(params, 1));
    const { mint, display } = mintAt(context, addressOf(params[0]), slot);
    return withContext(slot, display(mint.supply));
  },
  getTokenLargestAccounts: (context, params) => {
    const slot = contextSlotOf(context, configAt(params, 1));
    const address = addressOf(params[0]);
    const { program, display } = mintAt(context, address, slot);
    const value = tokenAccountsAt(context, program, slot)
      .filter(({ token }) => token.mint === address)
      .sort((a, b) => (a.token.amount < b.token.amount ? 1 : -1))
      .slice(0, LARGEST)
      .map((found) => ({ address: found.address, ...display(found.token.amount) }));
    return withContext(slot, value);
  },
};

/** Token accounts of one mint or one token program that fit `belongs`. */
function listTokenAccounts(
  context: RpcContext,
  params: readonly unknown[],
  belongs: (token: TokenAccount) => boolean,
): unknown {
  const filter = configAt(params, 1);
  const config = configAt(params, 2);
  const slot = contextSlotOf(context, config);
  const mint = filter.mint === undefined ? null : addressOf(filter.mint);
  const program = mint === null ? tokenProgramOf(filter.programId) : mintAt(context, mint, slot).program;
  const accountAt = accountsAt(context, slot);
  const value = tokenAccountsAt(context, program, slot)
    .filter(({ token }) => belongs(token) && (mint === null || token.mint === mint))
    .map(({ address, account }) => ({
      pubkey: address,
      account: accountJson(account, config, accountAt),
    }));
  return withContext(slot, value);
}

function tokenProgramOf(programId: unknown): string {
  const program = addressOf(programId);
  if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id');
  return program;
}

interface FoundMint {
  readonly mint: Mint;
  readonly program: string;
  readonly display: (amount: bigint) => UiTokenAmount;
}

function mintAt(context: RpcContext, address: string, slot: bigint): FoundMint {
  const account = context.ledger.accountAt(address, slot);
  const mint = account === null ? null : decodeMint(account);
  if (account === null || mint === null) throw invalidParams('Invalid param: not a Token mint');
  const display = (amount: bigint) => uiTokenAmount(amount, mint.decimals);
  return { mint, program: account.owner, display };
}

function tokenAccountsAt(
  context: RpcContext,
  program: string,
  slot: bigint,
): { address: string; account: StoredAccount; token: TokenAccount }[] {
  return context.ledger.programAccountsAt(program, slot).flatMap(({ address, account }) => {
    const token = decodeTokenAccount(account);
    return token === null ? [] : [{ address, account, token }];
  });
}
