import bs58 from 'bs58';
import { TOKEN_ACCOUNT_BYTES } from '../../../src/chain/accounts/token-account.ts';
import { type NamedAccount, requireAccount } from './anchor/accounts.ts';
import { createAccount } from './cpi/system-program.ts';
import { initializeTokenAccount } from './cpi/token-program.ts';
import { type DerivedAddress, derivedAddress } from './derived-address.ts';
import type { Effect } from './effects.ts';
import type { ProgramCall } from './model.ts';

/** A new pool. Both programs derive the addresses of pools and vaults in the same way. */
export interface NewPool {
  /** The program that owns the pool. */
  readonly program: string;
  /** Owns the vaults. */
  readonly authority: DerivedAddress;
  readonly pool: NamedAccount;
  readonly payer: NamedAccount;
}

/** @param seeds those before the two mints, of which the larger one comes first */
export function* createPoolAccount(
  call: ProgramCall,
  { program, pool, payer }: NewPool,
  seeds: readonly (string | Uint8Array)[],
  mints: readonly [NamedAccount, NamedAccount],
  dataBytes: number,
): Generator<Effect, void, void> {
  const mintSeeds = mints.map(({ address }) => Buffer.from(bs58.decode(address)));
  mintSeeds.sort((one, other) => Buffer.compare(other, one));
  const derived = derivedAddress(program, ...seeds, ...mintSeeds);
  requireAccount(pool.address === derived.address, 'ConstraintSeeds', pool);
  yield* createAccount(call, {
    address: pool.address,
    payer: payer.address,
    owner: program,
    dataBytes,
    derived,
  });
}

export function* createVault(
  call: ProgramCall,
  { program, authority, pool, payer }: NewPool,
  vault: NamedAccount,
  mint: NamedAccount,
  tokenProgram: NamedAccount,
): Generator<Effect, void, void> {
  const seeds = [mint.address, pool.address].map((address) => bs58.decode(address));
  const derived = derivedAddress(program, 'token_vault', ...seeds);
  requireAccount(vault.address === derived.address, 'ConstraintSeeds', vault);
  yield* createAccount(call, {
    address: vault.address,
    payer: payer.address,
    owner: tokenProgram.address,
    dataBytes: TOKEN_ACCOUNT_BYTES,
    derived,
  });
  yield initializeTokenAccount(tokenProgram.address, vault.address, mint.address, authority.address);
}
