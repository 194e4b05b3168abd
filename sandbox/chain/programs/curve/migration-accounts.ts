import {
  type NamedAccounts,
  optional,
  payer,
  readonly,
  stateOf,
  tokenAccount,
  tokenInterface,
  writable,
  writableStateOf,
} from '../anchor/accounts.ts';

/** The accounts of the migration, in order, and their conditions. */
export const migrationDemands = {
  virtual_pool: writableStateOf('VirtualPool'),
  migration_metadata: readonly,
  config: stateOf('PoolConfig'),
  pool_authority: writable,
  pool: writable,
  first_position_nft_mint: payer,
  first_position_nft_account: writable,
  first_position: writable,
  second_position_nft_mint: { signer: true, ...optional },
  second_position_nft_account: optional,
  second_position: optional,
  damm_pool_authority: readonly,
  amm_program: readonly,
  base_mint: writable,
  quote_mint: readonly,
  token_a_vault: writable,
  token_b_vault: writable,
  base_vault: tokenAccount,
  quote_vault: tokenAccount,
  payer,
  token_base_program: tokenInterface,
  token_quote_program: tokenInterface,
  token_2022_program: tokenInterface,
  damm_event_authority: readonly,
  system_program: readonly,
} as const;

export type MigrationAccounts = NamedAccounts<typeof migrationDemands>;
