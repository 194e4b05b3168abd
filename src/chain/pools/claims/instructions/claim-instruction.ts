import { DAMM_V2 } from '../../../accounts/programs.ts';
import { type Instruction, readonly, signer, writable } from '../../../transactions/instruction.ts';
import { authorities, type PoolSide } from '../../../transactions/swap-instruction.ts';
import type { Claim, CurveClaim, PositionClaim } from '../claim.ts';
import { claimDiscriminators } from './claim-discriminators.ts';
import {
  type ClaimedCurve,
  claimTradingFee,
  withdrawLeftover,
  withdrawMigrationFee,
  withdrawSurplus,
} from './curve-claims.ts';

/** The claimer's token accounts for the two tokens of a claim. */
export interface PaidAccounts {
  base: string;
  quote: string;
}

/** Which of the two accounts an instruction names. It must be open, also when it is paid nothing. */
export function namedSides({ kind }: Claim): readonly (keyof PaidAccounts)[] {
  switch (kind) {
    case 'creator_trading_fee':
    case 'partner_trading_fee':
    case 'position_fee':
      return ['base', 'quote'];
    case 'creator_surplus':
    case 'partner_surplus':
    case 'creator_migration_fee':
    case 'partner_migration_fee':
      return ['quote'];
    case 'leftover':
      return ['base'];
  }
}

/**
 * Whether tokens may come, by the time that the claim lands. A trading fee without tokens is bounded to the
 * quote; the instruction of a position has no bound.
 */
export function mayPayTokens({ kind, base }: Claim): boolean {
  return kind === 'position_fee' || kind === 'leftover' || base.amountRaw > 0n;
}

const EVERYTHING = (1n << 64n) - 1n;

/** Pays everything out that is there when it lands, which may be more than the claim says. */
export function claimInstruction(claim: Claim, accounts: PaidAccounts): Instruction {
  const claimant = { wallet: claim.claimer, baseAccount: accounts.base, quoteAccount: accounts.quote };
  const bounds = { baseRaw: mayPayTokens(claim) ? EVERYTHING : 0n, quoteRaw: EVERYTHING };
  switch (claim.kind) {
    case 'creator_trading_fee':
      return claimTradingFee('creator', curveOf(claim), claimant, bounds);
    case 'partner_trading_fee':
      return claimTradingFee('partner', curveOf(claim), claimant, bounds);
    case 'creator_surplus':
      return withdrawSurplus('creator', curveOf(claim), claimant);
    case 'partner_surplus':
      return withdrawSurplus('partner', curveOf(claim), claimant);
    case 'creator_migration_fee':
      return withdrawMigrationFee('creator', curveOf(claim), claimant);
    case 'partner_migration_fee':
      return withdrawMigrationFee('partner', curveOf(claim), claimant);
    case 'leftover':
      return withdrawLeftover(curveOf(claim), claimant);
    case 'position_fee':
      return positionFee(claim, accounts);
  }
}

function positionFee(
  { pool, position, nftAccount, claimer: wallet, isBaseTokenA, ...claim }: PositionClaim,
  { base, quote }: PaidAccounts,
): Instruction {
  return isBaseTokenA
    ? claimPositionFee(
        { pool, position, nftAccount, sides: [claim.base, claim.quote] },
        { wallet, accounts: [base, quote] },
      )
    : claimPositionFee(
        { pool, position, nftAccount, sides: [claim.quote, claim.base] },
        { wallet, accounts: [quote, base] },
      );
}

function curveOf({ pool, config, base, quote }: CurveClaim): ClaimedCurve {
  return {
    pool,
    config,
    baseMint: base.mint,
    quoteMint: quote.mint,
    baseVault: base.vault,
    quoteVault: quote.vault,
    baseTokenProgram: base.tokenProgram,
    quoteTokenProgram: quote.tokenProgram,
  };
}

/** A position of an AMM pool. Whoever owns the account with its NFT owns the position. */
export interface ClaimedPosition {
  pool: string;
  position: string;
  nftAccount: string;
  /** A and B of the pool. */
  sides: readonly [PoolSide, PoolSide];
}

/** Pays the fees of a position, all of them, to two token accounts. */
export function claimPositionFee(
  { pool, position, nftAccount, sides: [a, b] }: ClaimedPosition,
  { wallet, accounts: [accountA, accountB] }: { wallet: string; accounts: readonly [string, string] },
): Instruction {
  const { pool: poolAuthority, event } = authorities[DAMM_V2];
  return {
    program: DAMM_V2,
    accounts: [
      readonly(poolAuthority),
      readonly(pool),
      writable(position),
      writable(accountA),
      writable(accountB),
      writable(a.vault),
      writable(b.vault),
      readonly(a.mint),
      readonly(b.mint),
      readonly(nftAccount),
      signer(wallet),
      readonly(a.tokenProgram),
      readonly(b.tokenProgram),
      readonly(event),
      readonly(DAMM_V2),
    ],
    data: claimDiscriminators.positionFee,
  };
}
