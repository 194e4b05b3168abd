import bs58 from 'bs58';
import { BONDING_CURVE } from '../../../../src/chain/accounts/programs.ts';
import {
  type NamedAccounts,
  payer,
  readonly,
  readonlyTokens,
  signer,
  stateOf,
  tokenInterface,
  writable,
} from '../anchor/accounts.ts';
import { createAccount } from '../cpi/system-program.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { createPoolAccount, createVault } from '../pool-accounts.ts';
import { curvePoolAuthority } from './curve-accounts.ts';

export const POOL_BYTES = 8 + 416;

/** The first accounts of both instructions that launch a token. */
export const launchHead = {
  config: stateOf('PoolConfig'),
  pool_authority: readonly,
  creator: signer,
  base_mint: payer,
  quote_mint: readonlyTokens,
  pool: writable,
  base_vault: writable,
  quote_vault: writable,
} as const;
/** Their last accounts. */
export const launchTail = {
  payer,
  token_quote_program: tokenInterface,
  token_program: readonly,
  system_program: readonly,
  event_authority: readonly,
  program: readonly,
} as const;

export type LaunchAccounts = NamedAccounts<typeof launchHead & typeof launchTail>;

export function createMint(
  call: ProgramCall,
  { base_mint: mint, payer, token_program: program }: LaunchAccounts,
  dataBytes: number,
): Generator<Effect, void, void> {
  return createAccount(call, {
    address: mint.address,
    payer: payer.address,
    owner: program.address,
    dataBytes,
  });
}

export function* createPoolAndVaults(
  call: ProgramCall,
  accounts: LaunchAccounts,
): Generator<Effect, void, void> {
  const { config, base_mint: base, quote_mint: quote, pool, payer } = accounts;
  const newPool = { program: BONDING_CURVE, authority: curvePoolAuthority, pool, payer };
  const seeds = ['pool', bs58.decode(config.address)];
  yield* createPoolAccount(call, newPool, seeds, [base, quote], POOL_BYTES);
  yield* createVault(call, newPool, accounts.base_vault, base, accounts.token_program);
  yield* createVault(call, newPool, accounts.quote_vault, quote, accounts.token_quote_program);
}
