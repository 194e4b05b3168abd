import bs58 from 'bs58';
import { BONDING_CURVE, JUP_LOCK } from '../../../../src/chain/accounts/programs.ts';
import { migrationProgress } from '../../../../src/chain/accounts/virtual-pool.ts';
import {
  accountsOf,
  payer,
  readonly,
  requireAccount,
  stateOf,
  tokenAccount,
  tokenInterface,
  writable,
  writableStateOf,
} from '../anchor/accounts.ts';
import { type Handler, sighash } from '../anchor/anchor-program.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import { invoke, pays, reads, signs, writes } from '../cpi/invoke.ts';
import { withRentRepaid } from '../cpi/system-program.ts';
import { derivedAddress } from '../derived-address.ts';
import { requireVault } from '../token-state.ts';
import {
  curvePoolAuthority,
  loadConfig,
  loadPool,
  requirePoolAccounts,
  requirePoolAuthority,
  savePool,
} from './curve-accounts.ts';
import { requireCurve } from './curve-errors.ts';

/** Only the recipient may change the recipient, and only the creator of the escrow may cancel it. */
const UPDATE_RECIPIENT_MODE = 2;
const CANCEL_MODE = 1;

/** Moves the locked vesting into an escrow, which starts when the curve was completed. */
export const createLocker: Handler = function* (call) {
  const accounts = accountsOf(call, BONDING_CURVE, {
    virtual_pool: writableStateOf('VirtualPool'),
    config: stateOf('PoolConfig'),
    pool_authority: writable,
    base_vault: tokenAccount,
    base_mint: writable,
    base: writable,
    creator: readonly,
    escrow: writable,
    escrow_token: writable,
    payer,
    token_program: tokenInterface,
    locker_program: readonly,
    locker_event_authority: readonly,
    system_program: readonly,
  });
  const { virtual_pool: poolAccount, base, base_mint, base_vault, config: configAccount, creator } = accounts;
  const pool = loadPool(call, poolAccount);
  const config = loadConfig(call, configAccount);
  requirePoolAccounts(pool, poolAccount, { config: configAccount, creator, base_vault, base_mint });
  requirePoolAuthority(accounts.pool_authority);
  requireVault(call, base_vault, base_mint, accounts.token_program);
  const derivedBase = derivedAddress(BONDING_CURVE, 'base_locker', bs58.decode(poolAccount.address));
  requireAccount(base.address === derivedBase.address, 'ConstraintSeeds', base);
  requireAccount(accounts.locker_program.address === JUP_LOCK, 'ConstraintAddress', accounts.locker_program);
  requireCurve(pool.migrationProgress === migrationProgress.curveComplete, 'NotPermitToDoThisAction');
  const start = pool.finishCurveTimestamp;
  const data = new BorshWriter()
    .bytes(sighash('global', 'create_vesting_escrow_v2'))
    .u64(start, start + config.vestingCliffSeconds, config.vestingFrequency)
    .u64(config.vestingCliffUnlockAmount, config.vestingAmountPerPeriod, config.vestingPeriods)
    .u8(UPDATE_RECIPIENT_MODE, CANCEL_MODE)
    .bool(false)
    .finish();
  const metas = [
    signs(base.address),
    writes(accounts.escrow.address),
    reads(base_mint.address),
    writes(accounts.escrow_token.address),
    pays(curvePoolAuthority.address),
    writes(base_vault.address),
    reads(creator.address),
    reads(accounts.token_program.address),
    reads(accounts.system_program.address),
    reads(accounts.locker_event_authority.address),
    reads(JUP_LOCK),
  ];
  yield* withRentRepaid(call, curvePoolAuthority.address, accounts.payer.address, [
    { kind: 'log', message: 'create vesting escrow for creator' },
    invoke(JUP_LOCK, metas, data, [derivedBase, curvePoolAuthority]),
  ]);
  yield* savePool(call, poolAccount, { migrationProgress: migrationProgress.vestingLocked });
};
