import { readCurveConfig, readCurveConfigKeys } from '../pools/curve/config-account.ts';
import { readCurvePool, readCurvePoolKeys } from '../pools/curve/pool-account.ts';
import {
  hasTakenMigrationFee,
  migrationFeeShares,
  movedAtMigration,
  surplusShares,
} from '../pools/curve/quote-shares.ts';
import { readDammPoolKeys, readDammPoolState } from '../pools/damm/pool-account.ts';
import { BASIS_POINTS } from '../pools/fixed-point.ts';
import type { ChainAccount } from './account-data.ts';
import { readDammPosition } from './damm-position.ts';
import { readUnclaimedPositionFees } from './unclaimed-fees.ts';
import { migrationProgress } from './virtual-pool.ts';

/** Fees in one token, raw: the total that ever accrued, and the part that nobody has claimed yet. */
export interface Accrued {
  accruedRaw: bigint;
  unclaimedRaw: bigint;
}

/** Fees of a curve in its quote token, by the party that may claim them (reference/solana#accrued-fees). */
export interface CurveAccrued {
  creatorWallet: string;
  partnerWallet: string;
  creator: bigint;
  partner: bigint;
  protocol: bigint;
  /** The total of all parties, claimed or not. */
  accruedRaw: bigint;
  isMigrated: boolean;
}

/** Null unless the accounts are a pool and its config. */
export function readCurveAccrued(
  poolAccount: ChainAccount | null,
  configAccount: ChainAccount | null,
): CurveAccrued | null {
  const pool = readCurvePool(poolAccount);
  const poolKeys = readCurvePoolKeys(poolAccount);
  const config = readCurveConfig(configAccount);
  const configKeys = readCurveConfigKeys(configAccount);
  if (pool === null || poolKeys === null || config === null || configKeys === null) return null;
  const surplus = surplusShares(pool, config);
  const migration = migrationFeeShares(pool, config);
  const isMigrated = pool.migrationProgress === migrationProgress.migrated;
  const protocolOfMigration = isMigrated
    ? (movedAtMigration(config) * BigInt(pool.protocolLiquidityMigrationFeeBps)) / BASIS_POINTS
    : 0n;
  return {
    creatorWallet: poolKeys.creator,
    partnerWallet: configKeys.feeClaimer,
    creator:
      pool.creatorQuoteFee +
      unless(pool.isCreatorWithdrawSurplus !== 0, surplus.creator) +
      unless(hasTakenMigrationFee(pool, 'creator'), migration.creator),
    partner:
      pool.partnerQuoteFee +
      unless(pool.isPartnerWithdrawSurplus !== 0, surplus.partner) +
      unless(hasTakenMigrationFee(pool, 'partner'), migration.partner),
    protocol:
      pool.protocolQuoteFee +
      pool.protocolMigrationQuoteFee +
      unless(pool.isProtocolWithdrawSurplus !== 0, surplus.protocol),
    accruedRaw:
      pool.totalTradingQuoteFee +
      pool.totalProtocolQuoteFee +
      surplus.whole +
      migration.whole +
      protocolOfMigration,
    isMigrated,
  };
}

function unless(isTaken: boolean, amount: bigint): bigint {
  return isTaken ? 0n : amount;
}

interface AddressedAccount {
  address: string;
  account: ChainAccount | null;
}

/**
 * The earnings of an AMM pool for the protocol in one of its tokens. Null when the account is no pool of that
 * token.
 */
export function readProtocolAccrued(account: ChainAccount | null, mint: string): Accrued | null {
  const state = readDammPoolState(account);
  const side = sideOf(account, mint);
  if (state === null || side === null) return null;
  return side === 'a'
    ? { accruedRaw: state.totalProtocolAFee, unclaimedRaw: state.protocolAFee }
    : { accruedRaw: state.totalProtocolBFee, unclaimedRaw: state.protocolBFee };
}

/**
 * The earnings of a position in one of its pool's tokens. Both accounts must be of one slot. Null when the
 * position is not one of the pool's.
 */
export function readPositionAccrued(
  pool: AddressedAccount,
  positionAccount: ChainAccount | null,
  mint: string,
): Accrued | null {
  const unclaimed = readUnclaimedPositionFees(pool, positionAccount);
  const position = readDammPosition(positionAccount);
  const side = sideOf(pool.account, mint);
  if (unclaimed === null || position === null || side === null) return null;
  const [claimed, unclaimedRaw] =
    side === 'a' ? [position.totalClaimedAFee, unclaimed.aRaw] : [position.totalClaimedBFee, unclaimed.bRaw];
  return { accruedRaw: claimed + unclaimedRaw, unclaimedRaw };
}

function sideOf(account: ChainAccount | null, mint: string): 'a' | 'b' | null {
  const keys = readDammPoolKeys(account);
  if (keys?.tokenAMint === mint) return 'a';
  return keys?.tokenBMint === mint ? 'b' : null;
}
