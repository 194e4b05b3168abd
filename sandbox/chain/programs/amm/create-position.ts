import { DAMM_V2, TOKEN_2022 } from '../../../../src/chain/accounts/programs.ts';
import {
  accountsOf,
  payer,
  readonly,
  requireAccount,
  writable,
  writableStateOf,
} from '../anchor/accounts.ts';
import type { Handler } from '../anchor/anchor-program.ts';
import { loadPool, requirePoolAuthority, savePool } from './amm-accounts.ts';
import { requireAmm } from './amm-errors.ts';
import { createNftAccounts, createPositionAccount, openPosition } from './position-nft.ts';

/** An empty position of a pool. */
export const createPosition: Handler = function* (call) {
  const accounts = accountsOf(call, DAMM_V2, {
    owner: readonly,
    position_nft_mint: payer,
    position_nft_account: writable,
    pool: writableStateOf('Pool'),
    position: writable,
    pool_authority: readonly,
    payer,
    token_program: readonly,
    system_program: readonly,
    event_authority: readonly,
    program: readonly,
  });
  requirePoolAuthority(accounts.pool_authority);
  const { token_program: tokenProgram } = accounts;
  requireAccount(tokenProgram.address === TOKEN_2022, 'InvalidProgramId', tokenProgram);
  const pool = loadPool(call, accounts.pool);
  yield* createNftAccounts(call, accounts);
  yield* createPositionAccount(call, accounts);
  requireAmm(pool.poolStatus === 0, 'PoolDisabled');
  yield* savePool(call, accounts.pool, { totalPosition: pool.totalPosition + 1n });
  yield* openPosition(call, accounts, 0n);
};
