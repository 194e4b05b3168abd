import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { rawToDecimal } from '../../shared/decimal.ts';
import { BodyReader, readOrNull } from './body-reader.ts';
import type { DecodedTransaction, FeeClaim, FeeClaimKind, SkipReason } from './decoded-transaction.ts';
import { instructionNames } from './discriminators.ts';
import type { EventVenue } from './emitted-events.ts';
import { hasUsableDecimals } from './known-pools.ts';
import { accountOf, type PoolEvent } from './pool-event.ts';
import { toSol } from './trade-values.ts';

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
interface ClaimShape {
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
const claimShapes: Readonly<Record<EventVenue, Readonly<Record<string, ClaimShape>>>> = {
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

/** The payment in one token, raw. */
interface Payment {
  mint: string;
  raw: bigint;
  recipient: string;
}

/** Adds the claim that an event reports. Undefined when the event is not a claim. */
export function addFeeClaim(decoded: DecodedTransaction, found: PoolEvent): SkipReason | null | undefined {
  const shape = claimShapes[found.event.venue][found.name];
  if (shape === undefined) return undefined;
  const claim = readClaim(found, shape);
  if (typeof claim === 'string') return claim;
  decoded.feeClaims.push(claim);
  return null;
}

function readClaim(found: PoolEvent, shape: ClaimShape): FeeClaim | SkipReason {
  const { event, pool, fact, name } = found;
  const claimant = accountOf(found, shape.claimant);
  const isClaim =
    event.body.byteLength >= shape.bytesMin &&
    shape.instructions.has(event.emitterDiscriminator) &&
    accountOf(found, shape.pool) === pool.poolAddress;
  const payments = isClaim ? readOrNull(() => paymentsOf(found, shape)) : null;
  if (payments === null || claimant === undefined) return 'unreadable';
  if (!hasUsableDecimals(pool)) return 'decimals_unusable';
  const inSol = payments.find(({ mint }) => mint === WRAPPED_SOL_MINT);
  const inToken = payments.find(({ mint }) => mint === pool.mintAddress);
  const other = payments.find(({ mint }) => mint !== WRAPPED_SOL_MINT && mint !== pool.mintAddress);
  if (other !== undefined) return inSol === undefined ? 'quote_is_not_sol' : 'mint_differs';
  return {
    ...fact,
    kind: shape.kind,
    claimant,
    positionAddress: positionOf(event.body, shape),
    solAmount: toSol(inSol?.raw ?? 0n),
    tokenAmount: rawToDecimal(inToken?.raw ?? 0n, pool.decimals),
    solRecipientAccount: inSol?.recipient ?? null,
    solRecipient: inSol === undefined ? null : found.ownerOf(inSol.recipient),
    tokenRecipientAccount: inToken?.recipient ?? null,
    tokenRecipient: inToken === undefined ? null : found.ownerOf(inToken.recipient),
    eventName: name,
  };
}

/** Throws RangeError when the event or its instruction does not fit the shape. */
function paymentsOf(found: PoolEvent, { sides }: ClaimShape): Payment[] {
  const { body } = found.event;
  if (sides === 'named_in_event') {
    const reader = new BodyReader(body);
    reader.skip(32); // pool
    const [recipient, mint] = [reader.address(), reader.address()];
    return [{ recipient, mint, raw: reader.u64() }];
  }
  return sides.map(({ amountOffset, mint, recipient }) => {
    const reader = new BodyReader(body);
    reader.skip(amountOffset);
    return { mint: accountAt(found, mint), recipient: accountAt(found, recipient), raw: reader.u64() };
  });
}

function accountAt(found: PoolEvent, index: number): string {
  const account = accountOf(found, index);
  if (account === undefined) throw new RangeError('the instruction has too few accounts');
  return account;
}

/** Read after the amounts, because the position follows them. */
function positionOf(body: Uint8Array, { positionOffset }: ClaimShape): string | null {
  if (positionOffset === undefined) return null;
  const reader = new BodyReader(body);
  reader.skip(positionOffset);
  return reader.address();
}
