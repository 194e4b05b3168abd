import { curveMints, type EventCase, sol, token, tokenIsA, tokenIsB } from './event-case.ts';
import { addressOf, type IdlProgram } from './program-idl.ts';

interface ClaimCase {
  program: IdlProgram;
  kind: string;
  event: string;
  bytes: number;
  instruction: string;
  claimant: string;
  accounts?: Record<string, string>;
  /** The paid role, and the field with the amount. */
  inSol?: [role: string, field: string];
  inToken?: [role: string, field: string];
}

function claimCase({ kind, claimant, inSol, inToken, accounts, ...rest }: ClaimCase): EventCase {
  return {
    ...rest,
    accounts: { ...curveMints, ...accounts },
    read: ({ feeClaims }) =>
      feeClaims.map((claim) => [
        claim.kind,
        claim.eventName,
        claim.claimant,
        claim.positionAddress,
        claim.solAmount,
        claim.solRecipientAccount,
        claim.tokenAmount,
        claim.tokenRecipientAccount,
      ]),
    expected: (fields) => [
      [
        kind,
        rest.event,
        addressOf(claimant),
        fields.position ?? null,
        sol(inSol === undefined ? '0' : fields[inSol[1]]),
        inSol === undefined ? null : addressOf(inSol[0]),
        token(inToken === undefined ? '0' : fields[inToken[1]]),
        inToken === undefined ? null : addressOf(inToken[0]),
      ],
    ],
  };
}

const curveClaim = {
  program: 'dbc',
  bytes: 48,
  inToken: ['token_a_account', 'tokenBaseAmount'],
  inSol: ['token_b_account', 'tokenQuoteAmount'],
} as const;
const quoteClaim = { program: 'dbc', bytes: 40 } as const;
const claims: ClaimCase[] = [
  ...['claim_trading_fee', 'claim_trading_fee2'].map(
    (instruction): ClaimCase => ({
      ...(curveClaim as unknown as ClaimCase),
      kind: 'curvePartnerFee',
      event: 'EvtClaimTradingFee',
      instruction,
      claimant: 'fee_claimer',
    }),
  ),
  ...['claim_creator_trading_fee', 'claim_creator_trading_fee2'].map(
    (instruction): ClaimCase => ({
      ...(curveClaim as unknown as ClaimCase),
      kind: 'curveCreatorFee',
      event: 'EvtClaimCreatorTradingFee',
      instruction,
      claimant: 'creator',
    }),
  ),
  {
    ...quoteClaim,
    kind: 'curveMigrationFee',
    event: 'EvtWithdrawMigrationFee',
    bytes: 41,
    instruction: 'withdraw_migration_fee',
    claimant: 'sender',
    inSol: ['token_quote_account', 'fee'],
  },
  {
    ...quoteClaim,
    kind: 'curvePartnerSurplus',
    event: 'EvtPartnerWithdrawSurplus',
    instruction: 'partner_withdraw_surplus',
    claimant: 'fee_claimer',
    inSol: ['token_quote_account', 'surplusAmount'],
  },
  {
    ...quoteClaim,
    kind: 'curveCreatorSurplus',
    event: 'EvtCreatorWithdrawSurplus',
    instruction: 'creator_withdraw_surplus',
    claimant: 'creator',
    inSol: ['token_quote_account', 'surplusAmount'],
  },
  {
    program: 'dbc',
    kind: 'curveLeftover',
    event: 'EvtWithdrawLeftover',
    bytes: 72,
    instruction: 'withdraw_leftover',
    claimant: 'leftover_receiver',
    inToken: ['token_base_account', 'leftoverAmount'],
  },
  {
    program: 'damm',
    kind: 'positionFee',
    event: 'EvtClaimPositionFee',
    bytes: 112,
    instruction: 'claim_position_fee',
    claimant: 'signer',
    accounts: tokenIsA,
    inToken: ['token_a_account', 'feeAClaimed'],
    inSol: ['token_b_account', 'feeBClaimed'],
  },
  {
    program: 'damm',
    kind: 'positionFee',
    event: 'EvtClaimPositionFee',
    bytes: 112,
    instruction: 'claim_position_fee',
    claimant: 'signer',
    accounts: tokenIsB,
    inSol: ['token_a_account', 'feeAClaimed'],
    inToken: ['token_b_account', 'feeBClaimed'],
  },
];

/** Every claim of fees that the programs report. */
export const claimCases: EventCase[] = claims.map(claimCase);
