import type { DecimalString } from '../../shared/decimal.ts';
import type { CurveLaunch } from './curve-launch.ts';
import type { Venue } from './known-pools.ts';
import type { TradeValues } from './trade-values.ts';

/** The position of a fact on the chain. Its identity is (signature, outerIndex, innerIndex). */
export interface FactPosition {
  signature: string;
  slot: bigint;
  /** Time of the block. Null from a node that has lost it. */
  blockTime: Date | null;
  outerIndex: number;
  /**
   * The index of the event that reports the fact. DAMM v1 has no event instruction, so there it is the index
   * of the transfer that pays the trader. Null for a fact of the top-level instruction itself.
   */
  innerIndex: number | null;
}

/** A fact about one pool of a known token. */
export interface PoolFact extends FactPosition {
  venue: Venue;
  poolAddress: string;
  mintAddress: string;
}

export interface DecodedTrade extends TradeValues, PoolFact {
  traderWallet: string;
  innerIndex: number;
  blockTime: Date;
}

/** A new curve. Activation counts in the unit of the curve's config: slots or seconds. */
export interface Launch extends PoolFact, CurveLaunch {
  poolAddress: string;
  mintAddress: string;
}

/** A new AMM pool, created by a migration or by anybody else. */
export interface AmmPoolCreated extends PoolFact {
  creator: string;
  payer: string;
  /** Null for a pool with its own settings. */
  configAddress: string | null;
  activationPoint: bigint;
}

/** The curve has sold all its tokens. */
export interface CurveCompletion extends PoolFact {
  /** SOL in the curve at that moment. Null when the curve trades against another token. */
  liquidityInSol: DecimalString | null;
}

/** A position that a migration created, with its state after the migration. */
export interface MigratedPosition {
  positionAddress: string;
  ownerAddress: string;
  nftMintAddress: string;
  /** All its liquidity, in the program's own unit, and the part that can never be withdrawn. */
  liquidity: bigint;
  permanentlyLockedLiquidity: bigint;
}

/** The liquidity of a curve moved to an AMM pool: the token graduated at `blockTime`. */
export interface Migration extends FactPosition {
  mintAddress: string;
  curvePoolAddress: string;
  ammProgram: string;
  ammPoolAddress: string;
  /** Null when the instruction does not hold it. */
  ammConfigAddress: string | null;
  /** The amounts that left the curve's vaults. SOL is null when the curve trades against another token. */
  solMoved: DecimalString | null;
  tokenMoved: DecimalString | null;
  /** Only for DAMM v2. DAMM v1 has liquidity tokens instead. */
  positions: MigratedPosition[];
}

export const feeClaimKinds = [
  'curvePartnerFee',
  'curveCreatorFee',
  'curveProtocolFee',
  'curveMigrationFee',
  'curvePartnerSurplus',
  'curveCreatorSurplus',
  'curveLeftover',
  'positionFee',
  'ammProtocolFee',
] as const;
export type FeeClaimKind = (typeof feeClaimKinds)[number];

/** A claim of fees from a pool. Amounts may be zero. */
export interface FeeClaim extends PoolFact {
  kind: FeeClaimKind;
  /** The signer. For a leftover, which anybody may send, it is the receiver. */
  claimant: string;
  positionAddress: string | null;
  solAmount: DecimalString;
  tokenAmount: DecimalString;
  /** The paid token accounts and their owners. Null when the claim pays nothing in that token. */
  solRecipientAccount: string | null;
  solRecipient: string | null;
  tokenRecipientAccount: string | null;
  tokenRecipient: string | null;
  eventName: string;
}

/**
 * A provider added or removed liquidity of an AMM pool. The liquidity that a migration adds does not count.
 */
export interface LiquidityChange extends PoolFact {
  kind: 'add' | 'remove';
  positionAddress: string;
  ownerAddress: string;
  /** In the program's own unit. */
  liquidity: bigint;
  /** The change of the reserves. */
  solAmount: DecimalString;
  tokenAmount: DecimalString;
}

export interface PositionCreated extends PoolFact {
  positionAddress: string;
  ownerAddress: string;
  nftMintAddress: string;
}

/** Liquidity of a position that can never be withdrawn again, in the program's own unit. */
export interface PermanentLock extends PoolFact {
  positionAddress: string;
  liquidity: bigint;
  poolTotalPermanentlyLocked: bigint;
}

/** Why an event of a known pool was not used. */
export type SkipReason =
  | 'quote_is_not_sol'
  | 'mint_differs'
  | 'no_tokens_moved'
  | 'decimals_unusable'
  | 'older_generation'
  | 'unreadable';

export interface SkippedEvent {
  venue: Venue;
  poolAddress: string;
  eventName: string;
  reason: SkipReason;
}

/** The effects of a transaction on the known pools. Every list is in the order of execution. */
export interface DecodedTransaction {
  trades: DecodedTrade[];
  launches: Launch[];
  ammPoolsCreated: AmmPoolCreated[];
  curveCompletions: CurveCompletion[];
  migrations: Migration[];
  feeClaims: FeeClaim[];
  liquidityChanges: LiquidityChange[];
  positionsCreated: PositionCreated[];
  permanentLocks: PermanentLock[];
  /** SOL in each pool after the transaction, by address, for pools whose events report it. */
  liquidityInSol: Map<string, DecimalString>;
  /** True when the transaction created one of the requested pools. */
  poolCreated: boolean;
  /**
   * Unknown discriminators of the two programs' events and of DAMM v1 instructions on known pools, with their
   * numbers: a sign of an upgrade.
   */
  unknownEvents: Map<string, number>;
  /** The reasons why swaps made no trade. */
  skippedSwaps: SkipReason[];
  /** Other events of known pools that could not be used. */
  skippedEvents: SkippedEvent[];
}

export function nothingDecoded(): DecodedTransaction {
  return {
    trades: [],
    launches: [],
    ammPoolsCreated: [],
    curveCompletions: [],
    migrations: [],
    feeClaims: [],
    liquidityChanges: [],
    positionsCreated: [],
    permanentLocks: [],
    liquidityInSol: new Map(),
    poolCreated: false,
    unknownEvents: new Map(),
    skippedSwaps: [],
    skippedEvents: [],
  };
}
