import { fieldsOf } from '../../../src/chain/accounts/account-data.ts';
import { readMintExtensions } from '../../../src/chain/accounts/mint-extensions.ts';
import { SPL_TOKEN, TOKEN_2022, tokenProgramNames } from '../../../src/chain/accounts/programs.ts';
import { AMOUNT_OFFSET } from '../../../src/chain/accounts/token-account.ts';
import { type NamedAccount, requireAccount } from './anchor/accounts.ts';
import type { ProgramCall } from './model.ts';

const OWNER_OFFSET = 32;
const DECIMALS_OFFSET = 44;

export interface TokenAccountState {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
}

/** A token account as it stands in the call; one that is none fails as the framework does. */
export function loadTokenAccount(call: ProgramCall, account: NamedAccount): TokenAccountState {
  const data = tokenData(call, account);
  const fields = fieldsOf(data);
  return { mint: fields.address(0), owner: fields.address(OWNER_OFFSET), amount: fields.u64(AMOUNT_OFFSET) };
}

export function loadMintDecimals(call: ProgramCall, mint: NamedAccount): number {
  return tokenData(call, mint)[DECIMALS_OFFSET] ?? 0;
}

/** The account must be one of the two token programs. */
export function requireTokenProgram(account: NamedAccount): void {
  requireAccount(
    account.address === SPL_TOKEN || account.address === TOKEN_2022,
    'InvalidProgramId',
    account,
  );
}

function tokenData(call: ProgramCall, account: NamedAccount): Uint8Array {
  const stored = call.account(account.address);
  requireAccount(stored !== null && stored.data.length > 0, 'AccountNotInitialized', account);
  requireAccount(tokenProgramNames.has(stored.owner), 'AccountOwnedByWrongProgram', account);
  return stored.data;
}

const PLAIN_EXTENSIONS: readonly string[] = ['metadata_pointer', 'token_metadata'];

/** Whether nothing but metadata is added to the mint: no transfer fee, hook or other thing that changes transfers. */
export function isPlainMint(call: ProgramCall, mint: NamedAccount): boolean {
  const found = readMintExtensions(tokenData(call, mint));
  return found?.every((name) => PLAIN_EXTENSIONS.includes(name)) ?? false;
}
