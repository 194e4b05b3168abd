import { accountLayout } from '../../../../src/chain/accounts/account-layout.ts';
import { BONDING_CURVE } from '../../../../src/chain/accounts/programs.ts';
import { migrationProgress } from '../../../../src/chain/accounts/virtual-pool.ts';
import { writeCurvePoolKeys } from '../../../../src/chain/pools/curve/pool-account.ts';
import type { Address } from '../../../../src/shared/address.ts';
import {
  accountsOf,
  loaded,
  readonly,
  rewrite,
  signer,
  stateOf,
  writableStateOf,
} from '../anchor/accounts.ts';
import type { Handler } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import type { ProgramCall } from '../model.ts';
import { loadConfig, loadPool, requirePoolAccounts } from './curve-accounts.ts';
import { curveError, requireCurve } from './curve-errors.ts';

/** Migration options of a config: the AMM that gets the liquidity. */
const DAMM_V1_OPTION = 0;
const OPTION_MAX = 1;

/** Gives the rights of a pool's creator to another wallet (test/fixtures/creator-transfers). */
export const transferPoolCreator: Handler = function* (call) {
  const accounts = accountsOf(call, BONDING_CURVE, {
    virtual_pool: writableStateOf('VirtualPool'),
    config: stateOf('PoolConfig'),
    creator: signer,
    new_creator: readonly,
    event_authority: readonly,
    program: readonly,
  });
  const { virtual_pool: poolAccount, config: configAccount, creator, new_creator: heir } = accounts;
  const pool = loadPool(call, poolAccount);
  requirePoolAccounts(pool, poolAccount, { config: configAccount });
  requireCurve(heir.address !== creator.address, 'InvalidNewCreator');
  requireCurve(creator.address === pool.creator, 'Unauthorized');
  if (pool.migrationProgress !== migrationProgress.bonding) {
    // Between the completion and the migration the creator is fixed.
    requireCurve(pool.migrationProgress === migrationProgress.migrated, 'NotPermitToDoThisAction');
    const { migrationOption } = loadConfig(call, configAccount);
    requireCurve(migrationOption <= OPTION_MAX, 'InvalidMigrationOption');
    if (migrationOption === DAMM_V1_OPTION)
      requireLiquidityDistributed(call, poolAccount.address, Object.keys(accounts).length);
  }
  yield* rewrite(call, poolAccount, (data) => writeCurvePoolKeys(data, { creator: heir.address as Address }));
  yield event(BONDING_CURVE, 'EvtUpdatePoolCreator', (to) =>
    to.address(poolAccount.address, creator.address, heir.address),
  );
};

/** The state of a migration to DAMM v1: the liquidity of creator and partner, and whether they have got it. */
const dammV1Migration = accountLayout(
  {
    program: BONDING_CURVE,
    discriminators: [
      new Bun.CryptoHasher('sha256')
        .update('account:MeteoraDammMigrationMetadata')
        .digest('hex')
        .slice(0, 16),
    ],
    bytesMin: 280,
  },
  {
    pool: [8, 'address'],
    partnerToLock: [136, 'u64'],
    partnerToClaim: [144, 'u64'],
    creatorToLock: [152, 'u64'],
    creatorToClaim: [160, 'u64'],
    hasCreatorLocked: [169, 'u8'],
    hasPartnerLocked: [170, 'u8'],
    hasCreatorClaimed: [171, 'u8'],
    hasPartnerClaimed: [172, 'u8'],
  },
);

/** The state of the migration follows the named accounts. Its address is not checked, but its pool is. */
function requireLiquidityDistributed(call: ProgramCall, poolAddress: string, index: number): void {
  const given = call.accounts[index];
  if (given === undefined) throw curveError('InvalidAccount');
  const account = { ...given, name: 'migration_metadata', index };
  const migration = loaded(call, account, BONDING_CURVE, dammV1Migration.read);
  requireCurve(migration.pool === poolAddress, 'InvalidAccount');
  const parts: readonly (readonly [liquidity: bigint, flag: number])[] = [
    [migration.partnerToLock, migration.hasPartnerLocked],
    [migration.creatorToLock, migration.hasCreatorLocked],
    [migration.creatorToClaim, migration.hasCreatorClaimed],
    [migration.partnerToClaim, migration.hasPartnerClaimed],
  ];
  for (const [liquidity, flag] of parts)
    requireCurve(liquidity === 0n || flag === 1, 'NotPermitToDoThisAction');
}
