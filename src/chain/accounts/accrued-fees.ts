import { readCurveConfig, readCurveConfigKeys } from '../pools/curve/config-account.ts';
import { type CurvePool, readCurvePool, readCurvePoolKeys } from '../pools/curve/pool-account.ts';
import { readDammPoolKeys, readDammPoolState } from '../pools/damm/pool-account.ts';
import { BASIS_POINTS, divideUp } from '../pools/fixed-point.ts';
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

/** The percentage of a surplus over the threshold that partner and creator share. */
const SURPLUS_PERCENT = 80n;
/** Flags that record who has taken the migration fee. */
const PARTNER_TOOK_FEE = 0b100;
const CREATOR_TOOK_FEE = 0b010;

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
  const threshold = config.migrationQuoteThreshold;
  const isComplete = pool.quoteReserve >= threshold;
  const surplus = shares(isComplete ? pool.quoteReserve - threshold : 0n, {
    sharedPercent: SURPLUS_PERCENT,
    creatorPercent: config.creatorTradingFeePercent,
  });
  const moved = divideUp(threshold * BigInt(100 - config.migrationFeePercent), 100n);
  const migration = shares(isComplete ? threshold - moved : 0n, {
    sharedPercent: 100n,
    creatorPercent: config.creatorMigrationFeePercent,
  });
  const isMigrated = pool.migrationProgress === migrationProgress.migrated;
  const protocolOfMigration = isMigrated
    ? (moved * BigInt(pool.protocolLiquidityMigrationFeeBps)) / BASIS_POINTS
    : 0n;
  return {
    creatorWallet: poolKeys.creator,
    partnerWallet: configKeys.feeClaimer,
    creator:
      pool.creatorQuoteFee +
      unless(pool.isCreatorWithdrawSurplus !== 0, surplus.creator) +
      unless(hasTaken(pool, CREATOR_TOOK_FEE), migration.creator),
    partner:
      pool.partnerQuoteFee +
      unless(pool.isPartnerWithdrawSurplus !== 0, surplus.partner) +
      unless(hasTaken(pool, PARTNER_TOOK_FEE), migration.partner),
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

function shares(
  whole: bigint,
  { sharedPercent, creatorPercent }: { sharedPercent: bigint; creatorPercent: number },
): { whole: bigint; creator: bigint; partner: bigint; protocol: bigint } {
  const shared = (whole * sharedPercent) / 100n;
  const creator = (shared * BigInt(creatorPercent)) / 100n;
  return { whole, creator, partner: shared - creator, protocol: whole - shared };
}

function unless(isTaken: boolean, amount: bigint): bigint {
  return isTaken ? 0n : amount;
}

function hasTaken({ migrationFeeWithdrawStatus }: CurvePool, bit: number): boolean {
  return (migrationFeeWithdrawStatus & bit) !== 0;
}

interface AddressedAccount {
  address: string;
  account: ChainAccount | null;
}

/**
 * What an AMM pool has earned for the protocol in one of its tokens. Null when the account is no pool of that
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
 * What a position has earned in one of its pool's tokens. Both accounts must be of one slot. Null when the
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
