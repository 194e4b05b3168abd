import { readCurvePool } from '../pools/curve/pool-account.ts';
import { readDammPoolState } from '../pools/damm/pool-account.ts';
import type { ChainAccount } from './account-data.ts';
import { readDammPosition } from './damm-position.ts';

/** The raw amounts that one party may claim from a curve. */
export interface CurveFees {
  baseRaw: bigint;
  quoteRaw: bigint;
}

/** Fees of a curve that nobody has claimed yet (reference/solana#unclaimed-fees). */
export interface UnclaimedCurveFees {
  partner: CurveFees;
  creator: CurveFees;
  /** Includes the protocol's share of the migration, because the same claim pays it out. */
  protocol: CurveFees;
}

/** Null when the account is no curve pool. */
export function readUnclaimedCurveFees(pool: ChainAccount | null): UnclaimedCurveFees | null {
  const state = readCurvePool(pool);
  if (state === null) return null;
  return {
    partner: { baseRaw: state.partnerBaseFee, quoteRaw: state.partnerQuoteFee },
    creator: { baseRaw: state.creatorBaseFee, quoteRaw: state.creatorQuoteFee },
    protocol: {
      baseRaw: state.protocolBaseFee + state.protocolMigrationBaseFee,
      quoteRaw: state.protocolQuoteFee + state.protocolMigrationQuoteFee,
    },
  };
}

/** Fees of an AMM pool in its tokens A and B, raw. */
export interface AmmFees {
  aRaw: bigint;
  bRaw: bigint;
}

/** The amounts that the protocol may claim from an AMM pool. Null when the account is no such pool. */
export function readUnclaimedProtocolFees(pool: ChainAccount | null): AmmFees | null {
  const state = readDammPoolState(pool);
  return state === null ? null : { aRaw: state.protocolAFee, bRaw: state.protocolBFee };
}

/** Fees for each unit of liquidity are counted in units of 2^-128, in 256 bits that may wrap. */
const PER_LIQUIDITY_BITS = 128n;
const COUNTER_BITS = 256;
const U64_MAX = (1n << 64n) - 1n;

/**
 * The amounts that the owner of a position may claim: the fees that were pending when an instruction last
 * touched the position, and the position's share of the fees since. Both accounts must be of one slot. Null
 * when the position is not one of the pool's.
 */
export function readUnclaimedPositionFees(
  { address, account }: { address: string; account: ChainAccount | null },
  positionAccount: ChainAccount | null,
): AmmFees | null {
  const pool = readDammPoolState(account);
  const position = readDammPosition(positionAccount);
  if (pool === null || position === null || position.pool !== address) return null;
  const liquidity =
    position.unlockedLiquidity + position.vestedLiquidity + position.permanentlyLockedLiquidity;
  const earned = (now: bigint, checkpoint: bigint) =>
    (liquidity * BigInt.asUintN(COUNTER_BITS, now - checkpoint)) >> PER_LIQUIDITY_BITS;
  return {
    aRaw: saturated(
      position.feeAPending + earned(pool.feeAPerLiquidity, position.feeAPerLiquidityCheckpoint),
    ),
    bRaw: saturated(
      position.feeBPending + earned(pool.feeBPerLiquidity, position.feeBPerLiquidityCheckpoint),
    ),
  };
}

/** The program keeps amounts in 64 bits and stops at the largest value. */
function saturated(raw: bigint): bigint {
  return raw > U64_MAX ? U64_MAX : raw;
}
