import { accountLayout, type FieldsOf } from '../../../../src/chain/accounts/account-layout.ts';
import { POSITION_BYTES } from '../../../../src/chain/accounts/damm-position.ts';
import { DAMM_V2 } from '../../../../src/chain/accounts/programs.ts';
import type { DammPoolState } from '../../../../src/chain/pools/damm/pool-account.ts';
import { U64_MAX } from '../../../../src/chain/pools/fixed-point.ts';
import { requireAmm } from './amm-errors.ts';

const fields = {
  pool: [8, 'address'],
  nftMint: [40, 'address'],
  feeACheckpoint: [72, 'u256'],
  feeBCheckpoint: [104, 'u256'],
  feeAPending: [136, 'u64'],
  feeBPending: [144, 'u64'],
  unlockedLiquidity: [152, 'u128'],
  vestedLiquidity: [168, 'u128'],
  permanentLockedLiquidity: [184, 'u128'],
  totalClaimedAFee: [200, 'u64'],
  totalClaimedBFee: [208, 'u64'],
} as const;

export type PositionState = FieldsOf<typeof fields>;

// sha256('account:Position')[..8].
export const positionLayout = accountLayout(
  { program: DAMM_V2, discriminators: ['aabc8fe47a40f7d0'], bytesMin: POSITION_BYTES },
  fields,
);

/** The pending fees of a position, with those earned since its checkpoints. */
export function settledFees(position: PositionState, pool: DammPoolState): Partial<PositionState> {
  const liquidity = position.unlockedLiquidity + position.vestedLiquidity + position.permanentLockedLiquidity;
  // Fees for each unit of liquidity count in 2^-128.
  const earned = (now: bigint, before: bigint) => (liquidity * (now - before)) >> 128n;
  const feeAPending = position.feeAPending + earned(pool.feeAPerLiquidity, position.feeACheckpoint);
  const feeBPending = position.feeBPending + earned(pool.feeBPerLiquidity, position.feeBCheckpoint);
  requireAmm(feeAPending <= U64_MAX && feeBPending <= U64_MAX, 'MathOverflow');
  return {
    feeACheckpoint: pool.feeAPerLiquidity,
    feeBCheckpoint: pool.feeBPerLiquidity,
    feeAPending,
    feeBPending,
  };
}
