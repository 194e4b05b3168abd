import { fieldsOf } from '../../../src/chain/accounts/account-data.ts';
import { readMintExtensions } from '../../../src/chain/accounts/mint-extensions.ts';
import { AMOUNT_OFFSET } from '../../../src/chain/accounts/token-account.ts';
import { type NamedAccount, requireAccount, requireTokenData } from './anchor/accounts.ts';
import type { ProgramCall } from './model.ts';

const OWNER_OFFSET = 32;
const DECIMALS_OFFSET = 44;

export interface TokenAccountState {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
}

/** A token account in its state within the call. Any other account fails as in the framework. */
export function loadTokenAccount(call: ProgramCall, account: NamedAccount): TokenAccountState {
  const data = requireTokenData(call, account);
  const fields = fieldsOf(data);
  return { mint: fields.address(0), owner: fields.address(OWNER_OFFSET), amount: fields.u64(AMOUNT_OFFSET) };
}

export function loadMintDecimals(call: ProgramCall, mint: NamedAccount): number {
  return requireTokenData(call, mint)[DECIMALS_OFFSET] ?? 0;
}

/** The vault must hold the given mint, under the given token program. */
export function requireVault(
  call: ProgramCall,
  vault: NamedAccount,
  mint: NamedAccount,
  tokenProgram: NamedAccount,
): void {
  requireAccount(loadTokenAccount(call, vault).mint === mint.address, 'ConstraintTokenMint', vault);
  const isOfProgram = call.account(vault.address)?.owner === tokenProgram.address;
  requireAccount(isOfProgram, 'ConstraintTokenTokenProgram', vault);
}

const PLAIN_EXTENSIONS: readonly string[] = ['metadata_pointer', 'token_metadata'];

/** Whether the mint has no extension but metadata: no transfer fee or hook that changes transfers. */
export function isPlainMint(call: ProgramCall, mint: NamedAccount): boolean {
  const found = readMintExtensions(requireTokenData(call, mint));
  return found?.every((name) => PLAIN_EXTENSIONS.includes(name)) ?? false;
}
