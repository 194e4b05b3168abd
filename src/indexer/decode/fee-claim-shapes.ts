import { instructionNames } from './anchor-names.ts';
import type { FeeClaimKind } from './decoded-transaction.ts';
import type { EventVenue } from './emitted-events.ts';

/**
 * One token of a claim: the offset of its amount in the event, and the accounts of mint and receiver in the
 * instruction.
 */
interface ClaimSide {
  amountOffset: number;
  mint: number;
  recipient: number;
}

/**
 * One event of a claim, and the instructions that emit it. Offsets count in the event's body, other numbers
 * are accounts.
 */
export interface ClaimShape {
  kind: FeeClaimKind;
  instructions: ReadonlyMap<string, string>;
  /** Least length of the body. Later generations may append fields. */
  bytesMin: number;
  pool: number;
  claimant: number;
  positionOffset?: number;
  /** The two tokens of the pool, or the paid one. `named_in_event`: the event itself holds the mint. */
  sides: readonly ClaimSide[] | 'named_in_event';
}

/** Claims of the two programs up to 0.2.1 and 0.2.5, by the name of the event (reference/solana#fee-claims). */
export const claimShapes: Readonly<Record<EventVenue, Readonly<Record<string, ClaimShape>>>> = {
  dbc: {
    EvtClaimTradingFee: {
      kind: 'curvePartnerFee',
      bytesMin: 48,
      instructions: instructionNames(['claim_trading_fee', 'claim_trading_fee2']),
      pool: 2,
      claimant: 9,
      sides: both({ mint: 7, recipient: 3 }, { mint: 8, recipient: 4 }),
    },
    EvtClaimCreatorTradingFee: {
      kind: 'curveCreatorFee',
      bytesMin: 48,
      instructions: instructionNames(['claim_creator_trading_fee', 'claim_creator_trading_fee2']),
      pool: 1,
      claimant: 8,
      sides: both({ mint: 6, recipient: 2 }, { mint: 7, recipient: 3 }),
    },
    EvtClaimProtocolFee: {
      kind: 'curveProtocolFee',
      bytesMin: 48,
      instructions: instructionNames(['claim_protocol_fee']),
      pool: 2,
      claimant: 10,
      sides: both({ mint: 5, recipient: 7 }, { mint: 6, recipient: 8 }),
    },
    EvtClaimProtocolFee2: {
      kind: 'curveProtocolFee',
      bytesMin: 104,
      instructions: instructionNames(['claim_protocol_fee2']),
      pool: 6,
      claimant: 10,
      sides: 'named_in_event',
    },
    EvtWithdrawMigrationFee: {
      kind: 'curveMigrationFee',
      bytesMin: 41,
      instructions: instructionNames(['withdraw_migration_fee']),
      ...quoteWithdrawal(),
    },
    EvtPartnerWithdrawSurplus: {
      kind: 'curvePartnerSurplus',
      bytesMin: 40,
      instructions: instructionNames(['partner_withdraw_surplus']),
      ...quoteWithdrawal(),
    },
    EvtCreatorWithdrawSurplus: {
      kind: 'curveCreatorSurplus',
      bytesMin: 40,
      instructions: instructionNames(['creator_withdraw_surplus']),
      ...quoteWithdrawal(),
    },
    EvtWithdrawLeftover: {
      kind: 'curveLeftover',
      bytesMin: 72,
      instructions: instructionNames(['withdraw_leftover']),
      pool: 2,
      claimant: 6,
      sides: [{ amountOffset: 64, mint: 5, recipient: 3 }],
    },
  },
  damm: {
    EvtClaimPositionFee: {
      kind: 'positionFee',
      bytesMin: 112,
      instructions: instructionNames(['claim_position_fee']),
      pool: 1,
      claimant: 10,
      positionOffset: 32,
      sides: both({ mint: 7, recipient: 3 }, { mint: 8, recipient: 4 }, 96),
    },
    EvtClaimProtocolFee: {
      kind: 'ammProtocolFee',
      bytesMin: 48,
      instructions: instructionNames(['claim_protocol_fee']),
      pool: 1,
      claimant: 9,
      sides: both({ mint: 4, recipient: 6 }, { mint: 5, recipient: 7 }),
    },
    EvtClaimProtocolFee2: {
      kind: 'ammProtocolFee',
      bytesMin: 104,
      instructions: instructionNames(['claim_protocol_fee2']),
      pool: 5,
      claimant: 9,
      sides: 'named_in_event',
    },
  },
};

/** Two amounts, one after the other. The pool comes before them. */
function both(
  first: Omit<ClaimSide, 'amountOffset'>,
  second: Omit<ClaimSide, 'amountOffset'>,
  firstOffset = 32,
): ClaimSide[] {
  return [
    { ...first, amountOffset: firstOffset },
    { ...second, amountOffset: firstOffset + 8 },
  ];
}

/** Withdrawals of the quote token with the same order of accounts. */
function quoteWithdrawal() {
  return { pool: 2, claimant: 6, sides: [{ amountOffset: 32, mint: 5, recipient: 3 }] };
}
