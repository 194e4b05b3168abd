import { accountLayout } from '../../../../src/chain/accounts/account-layout.ts';
import { BONDING_CURVE } from '../../../../src/chain/accounts/programs.ts';
import { migrationProgress } from '../../../../src/chain/accounts/virtual-pool.ts';
import { writeCurvePoolKeys } from '../../../../src/chain/pools/curve/pool-account.ts';
import type { Address } from '../../../../src/shared/address.ts';
import {
  accountsOf,
  type NamedAccount,
  readonly,
  requireStateOf,
  rewrite,
  signer,
  stateOf,
  writableStateOf,
} from '../anchor/accounts.ts';
import { type Handler, sighash } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import type { ProgramCall } from '../model.ts';
import { migrationOptions } from './config-rules.ts';
import {
  type ConfigState,
  loadConfig,
  loadPool,
  type PoolState,
  requirePoolAccounts,
} from './curve-accounts.ts';
import { curveError, requireCurve } from './curve-errors.ts';

const demands = {
  virtual_pool: writableStateOf('VirtualPool'),
  config: stateOf('PoolConfig'),
  creator: signer,
  new_creator: readonly,
  event_authority: readonly,
  program: readonly,
} as const;

/** Gives a pool to another creator. The order of the checks is that of test/fixtures/creator-transfers. */
export const transferPoolCreator: Handler = function* (call) {
  const accounts = accountsOf(call, BONDING_CURVE, demands);
  const { virtual_pool: poolAccount, config: configAccount, creator, new_creator: next } = accounts;
  const pool = loadPool(call, poolAccount);
  const config = loadConfig(call, configAccount);
  requirePoolAccounts(pool, poolAccount, { config: configAccount });
  requireCurve(next.address !== creator.address, 'InvalidNewCreator');
  requireCurve(creator.address === pool.creator, 'Unauthorized');
  requireTransferable(call, poolAccount, pool, config);
  yield* rewrite(call, poolAccount, (data) => writeCurvePoolKeys(data, { creator: next.address as Address }));
  yield event(BONDING_CURVE, 'EvtUpdatePoolCreator', (to) =>
    to.address(poolAccount.address, creator.address, next.address),
  );
};

/**
 * A pool keeps its creator from the completion of the curve until the migration. One that goes to DAMM v1 keeps it until
 * its liquidity is paid out.
 */
function requireTransferable(
  call: ProgramCall,
  poolAccount: NamedAccount,
  pool: PoolState,
  config: ConfigState,
): void {
  if (pool.migrationProgress === migrationProgress.bonding) return;
  requireCurve(pool.migrationProgress === migrationProgress.migrated, 'NotPermitToDoThisAction');
  switch (config.migrationOption) {
    case migrationOptions.dammV1:
      requirePaidOut(loadDammV1Migration(call, poolAccount));
      break;
    case migrationOptions.dammV2:
      break;
    default:
      throw curveError('InvalidMigrationOption');
  }
}

const dammV1Migration = accountLayout(
  {
    program: BONDING_CURVE,
    discriminators: [Buffer.from(sighash('account', 'MeteoraDammMigrationMetadata')).toString('hex')],
    bytesMin: 280,
  },
  {
    virtualPool: [8, 'address'],
    partnerLockedLiquidity: [136, 'u64'],
    partnerLiquidity: [144, 'u64'],
    creatorLockedLiquidity: [152, 'u64'],
    creatorLiquidity: [160, 'u64'],
    creatorLockedStatus: [169, 'u8'],
    partnerLockedStatus: [170, 'u8'],
    creatorClaimStatus: [171, 'u8'],
    partnerClaimStatus: [172, 'u8'],
  },
);
type DammV1Migration = NonNullable<ReturnType<typeof dammV1Migration.read>>;

/** The account follows the named ones. Its address is free, its pool is not. */
function loadDammV1Migration(call: ProgramCall, poolAccount: NamedAccount): DammV1Migration {
  const index = Object.keys(demands).length;
  const account = call.accounts[index];
  if (account === undefined) throw curveError('InvalidAccount');
  const named = { ...account, name: 'migration_metadata', index };
  const migration = requireStateOf(call, named, BONDING_CURVE, dammV1Migration.read);
  requireCurve(migration.virtualPool === poolAccount.address, 'InvalidAccount');
  return migration;
}

/** Partner and creator must have locked and claimed all that they have to lock and claim. */
function requirePaidOut(migration: DammV1Migration): void {
  const parts: readonly (readonly [liquidity: bigint, status: number])[] = [
    [migration.partnerLockedLiquidity, migration.partnerLockedStatus],
    [migration.partnerLiquidity, migration.partnerClaimStatus],
    [migration.creatorLockedLiquidity, migration.creatorLockedStatus],
    [migration.creatorLiquidity, migration.creatorClaimStatus],
  ];
  for (const [liquidity, status] of parts)
    requireCurve(liquidity === 0n || status === 1, 'NotPermitToDoThisAction');
}
