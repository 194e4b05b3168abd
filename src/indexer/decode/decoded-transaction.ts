import type { DecimalString } from '../../shared/decimal.ts';
import type { CurveLaunch } from './curve-launch.ts';
import type { Venue } from './known-pools.ts';
import type { TradeValues } from './trade-values.ts';

/** The place of a fact on the chain; its identity is (signature, outerIndex, innerIndex). */
export interface FactPlace {
  signature: string;
  slot: bigint;
  /** Time of the block; null from a node that has lost it. */
  blockTime: Date | null;
  outerIndex: number;
  /**
   * The index of the event that reports the fact, or of the transfer that pays a trader of DAMM v1, which has no event
   * among the instructions; null for a fact of a top-level instruction itself.
   */
  innerIndex: number | null;
}

/** A fact about one pool of a known token. */
export interface PoolFact extends FactPlace {
  venue: Venue;
  poolAddress: string;
  mintAddress: string;
}

/** A swap of the pool. */
export interface DecodedTrade extends TradeValues, PoolFact {
  traderWallet: string;
  innerIndex: number;
  blockTime: Date;
}

/** A curve came into being. Activation counts in the unit that its config names: slots or seconds. */
export interface Launch extends PoolFact, CurveLaunch {
  poolAddress: string;
  mintAddress: string;
}

/** An AMM pool came into being, by a migration or by anybody. */
export interface AmmPoolCreated extends PoolFact {
  creator: string;
  payer: string;
  /** Null for a pool with settings of its own. */
  configAddress: string | null;
  activationPoint: bigint;
}

/** The curve has sold all it sells. */
export interface CurveCompletion extends PoolFact {
  /** SOL in the curve at that moment; null where it trades against another token. */
  liquidityInSol: DecimalString | null;
}

/** A position that a migration made, as it stood afterwards. */
export interface MigratedPosition {
  positionAddress: string;
  ownerAddress: string;
  nftMintAddress: string;
  /** All of it, in the program's own unit, and how much of that can never be withdrawn. */
  liquidity: bigint;
  permanentlyLockedLiquidity: bigint;
}

/** The liquidity of a curve went into an AMM pool: the token has graduated at `blockTime`. */
export interface Migration extends FactPlace {
  mintAddress: string;
  curvePoolAddress: string;
  ammProgram: string;
  ammPoolAddress: string;
  /** Null where the instruction does not name it. */
  ammConfigAddress: string | null;
  /** What left the vaults of the curve; null for SOL where it trades against another token. */
  solMoved: DecimalString | null;
  tokenMoved: DecimalString | null;
  /** Of DAMM v2 only; its predecessor has liquidity tokens instead. */
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

/** Somebody took what a pool owed. Amounts may be zero. */
export interface FeeClaim extends PoolFact {
  kind: FeeClaimKind;
  /** The signer; for a leftover, which anybody may have sent, its receiver. */
  claimant: string;
  positionAddress: string | null;
  solAmount: DecimalString;
  tokenAmount: DecimalString;
  /** Token accounts that were paid, and their owners; null where the claim pays nothing in that token. */
  solRecipientAccount: string | null;
  solRecipient: string | null;
  tokenRecipientAccount: string | null;
  tokenRecipient: string | null;
  eventName: string;
}

/** A provider moved liquidity of an AMM pool; what a migration adds is none. */
export interface LiquidityChange extends PoolFact {
  kind: 'add' | 'remove';
  positionAddress: string;
  ownerAddress: string;
  /** In the program's own unit. */
  liquidity: bigint;
  /** By how much the reserves changed. */
  solAmount: DecimalString;
  tokenAmount: DecimalString;
}

export interface PositionCreated extends PoolFact {
  positionAddress: string;
  ownerAddress: string;
  nftMintAddress: string;
}

/** Liquidity of a position that nobody can withdraw any more, in the program's own unit. */
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

/** What a transaction did to the known pools; every list in the order of execution. */
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
  /** SOL in each pool after the transaction, by its address; only of pools whose events report it. */
  liquidityInSol: Map<string, DecimalString>;
  /** One of the pools that were asked for came into being. */
  poolCreated: boolean;
  curveCompleted: boolean;
  /** The liquidity of a curve has moved to another program's pool. */
  migrated: boolean;
  /**
   * Events of the two programs, and instructions of DAMM v1 on known pools, whose discriminator is not known, with their
   * number: a sign of an upgrade.
   */
  unknownEvents: Map<string, number>;
  /** Why swaps made no trade. */
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
    curveCompleted: false,
    migrated: false,
    unknownEvents: new Map(),
    skippedSwaps: [],
    skippedEvents: [],
  };
}
