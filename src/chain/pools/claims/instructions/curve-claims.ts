import { BONDING_CURVE } from '../../../accounts/programs.ts';
import { type Instruction, readonly, signer, writable } from '../../../transactions/instruction.ts';
import { authorities } from '../../../transactions/swap-instruction.ts';
import { claimDiscriminators } from './claim-discriminators.ts';

/** The accounts of a curve that its claims name. */
export interface ClaimedCurve {
  pool: string;
  config: string;
  baseMint: string;
  quoteMint: string;
  baseVault: string;
  quoteVault: string;
  baseTokenProgram: string;
  quoteTokenProgram: string;
}

/** The wallet that signs a claim, and its token accounts that are paid. */
export interface Claimant {
  wallet: string;
  baseAccount: string;
  quoteAccount: string;
}

/** Creator and partner have instructions of their own for the same payments. */
export type CurveParty = 'creator' | 'partner';

/** The most that a claim pays out, in base units. */
export interface ClaimBounds {
  baseRaw: bigint;
  quoteRaw: bigint;
}

const { pool: POOL_AUTHORITY, event: EVENT_AUTHORITY } = authorities[BONDING_CURVE];
const tail = [readonly(EVENT_AUTHORITY), readonly(BONDING_CURVE)];
const migrationFlags: Readonly<Record<CurveParty, number>> = { partner: 0, creator: 1 };

/** Pays a party its share of the trading fees. Only the partner's instruction names the config. */
export function claimTradingFee(
  party: CurveParty,
  curve: ClaimedCurve,
  { wallet, baseAccount, quoteAccount }: Claimant,
  { baseRaw, quoteRaw }: ClaimBounds,
): Instruction {
  const data = Buffer.alloc(24);
  const name = party === 'creator' ? 'creatorTradingFee' : 'partnerTradingFee';
  claimDiscriminators[name].copy(data);
  data.writeBigUInt64LE(baseRaw, 8);
  data.writeBigUInt64LE(quoteRaw, 16);
  return {
    program: BONDING_CURVE,
    accounts: [
      readonly(POOL_AUTHORITY),
      ...(party === 'partner' ? [readonly(curve.config)] : []),
      writable(curve.pool),
      writable(baseAccount),
      writable(quoteAccount),
      writable(curve.baseVault),
      writable(curve.quoteVault),
      readonly(curve.baseMint),
      readonly(curve.quoteMint),
      signer(wallet),
      readonly(curve.baseTokenProgram),
      readonly(curve.quoteTokenProgram),
      ...tail,
    ],
    data,
  };
}

/** Pays a party its share of what the curve took above its threshold. The curve must be complete. */
export function withdrawSurplus(party: CurveParty, curve: ClaimedCurve, claimant: Claimant): Instruction {
  const name = party === 'creator' ? 'creatorSurplus' : 'partnerSurplus';
  return quoteWithdrawal(curve, claimant, claimDiscriminators[name]);
}

/** Pays a party its share of the fee on the migration. The curve must be complete. */
export function withdrawMigrationFee(
  party: CurveParty,
  curve: ClaimedCurve,
  claimant: Claimant,
): Instruction {
  const data = Buffer.concat([claimDiscriminators.migrationFee, Uint8Array.of(migrationFlags[party])]);
  return quoteWithdrawal(curve, claimant, data);
}

function quoteWithdrawal(curve: ClaimedCurve, { wallet, quoteAccount }: Claimant, data: Buffer): Instruction {
  return {
    program: BONDING_CURVE,
    accounts: [
      readonly(POOL_AUTHORITY),
      readonly(curve.config),
      writable(curve.pool),
      writable(quoteAccount),
      writable(curve.quoteVault),
      readonly(curve.quoteMint),
      signer(wallet),
      readonly(curve.quoteTokenProgram),
      ...tail,
    ],
    data,
  };
}

/**
 * Pays the tokens that the migration left over to the receiver of the config. Anybody may call it, so nobody
 * signs. The account must be the receiver's associated account.
 */
export function withdrawLeftover(
  curve: ClaimedCurve,
  receiver: Pick<Claimant, 'wallet' | 'baseAccount'>,
): Instruction {
  return {
    program: BONDING_CURVE,
    accounts: [
      readonly(POOL_AUTHORITY),
      readonly(curve.config),
      writable(curve.pool),
      writable(receiver.baseAccount),
      writable(curve.baseVault),
      readonly(curve.baseMint),
      readonly(receiver.wallet),
      readonly(curve.baseTokenProgram),
      ...tail,
    ],
    data: claimDiscriminators.leftover,
  };
}
