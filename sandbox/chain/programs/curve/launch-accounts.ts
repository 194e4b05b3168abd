import bs58 from 'bs58';
import { BONDING_CURVE } from '../../../../src/chain/accounts/programs.ts';
import { type NamedAccount, requireAccount } from '../anchor/accounts.ts';
import { createAccount } from '../cpi/system-program.ts';
import { initializeTokenAccount } from '../cpi/token-program.ts';
import { derivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { curvePoolAuthority } from './curve-accounts.ts';

export const POOL_BYTES = 8 + 416;
const TOKEN_ACCOUNT_BYTES = 165;

/** Accounts of both instructions that launch a token. */
export interface LaunchAccounts {
  readonly config: NamedAccount;
  readonly pool_authority: NamedAccount;
  readonly creator: NamedAccount;
  readonly base_mint: NamedAccount;
  readonly quote_mint: NamedAccount;
  readonly pool: NamedAccount;
  readonly base_vault: NamedAccount;
  readonly quote_vault: NamedAccount;
  readonly payer: NamedAccount;
  readonly token_quote_program: NamedAccount;
  readonly token_program: NamedAccount;
  readonly system_program: NamedAccount;
}

export function* createMint(
  call: ProgramCall,
  { base_mint: mint, payer, token_program: program }: LaunchAccounts,
  dataBytes: number,
): Generator<Effect, void, void> {
  yield* createAccount(call, {
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
  const mints = [base, quote].map(({ address }) => Buffer.from(bs58.decode(address)));
  mints.sort((one, other) => Buffer.compare(other, one));
  const derivedPool = derivedAddress(BONDING_CURVE, 'pool', bs58.decode(config.address), ...mints);
  requireAccount(pool.address === derivedPool.address, 'ConstraintSeeds', pool);
  yield* createAccount(call, {
    address: pool.address,
    payer: payer.address,
    owner: BONDING_CURVE,
    dataBytes: POOL_BYTES,
    derived: derivedPool,
  });
  yield* createVault(call, accounts.base_vault, base, pool, payer, accounts.token_program);
  yield* createVault(call, accounts.quote_vault, quote, pool, payer, accounts.token_quote_program);
}

function* createVault(
  call: ProgramCall,
  vault: NamedAccount,
  mint: NamedAccount,
  pool: NamedAccount,
  payer: NamedAccount,
  tokenProgram: NamedAccount,
): Generator<Effect, void, void> {
  const derived = derivedAddress(
    BONDING_CURVE,
    'token_vault',
    bs58.decode(mint.address),
    bs58.decode(pool.address),
  );
  requireAccount(vault.address === derived.address, 'ConstraintSeeds', vault);
  const { address } = vault;
  const owner = tokenProgram.address;
  yield* createAccount(call, {
    address,
    payer: payer.address,
    owner,
    dataBytes: TOKEN_ACCOUNT_BYTES,
    derived,
  });
  yield initializeTokenAccount(owner, address, mint.address, curvePoolAuthority.address);
}
