import type { Transaction } from '../../db/client.ts';
import type { feeRoles } from '../../db/values/fees.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { FeeClaimKind } from '../decode/decoded-transaction.ts';
import {
  type DistributionFact,
  type ReportedDistribution,
  storeFeeDistributions,
} from './fee-distributions.ts';
import { lockTokens } from './write-locks.ts';

/** A claim that paid SOL, as its event reports it. */
export interface ClaimRow {
  transactionSignature: string;
  outerIndex: number;
  innerIndex: number;
  mintAddress: string;
  poolAddress: string;
  kind: FeeClaimKind;
  claimantWallet: string;
  positionAddress: string | null;
  recipientWallet: string;
  amountLamports: string;
  slot: bigint;
  claimedAt: Date;
}

/** A position that a migration created for creator or partner. */
export interface FeePositionRow {
  positionAddress: string;
  mintAddress: string;
  ownerWallet: string;
  nftMintAddress: string;
}

/** Stores claims and positions. Those already stored do not change. The tokens must be known. */
export async function storeFeeFacts(
  transaction: Transaction,
  claims: readonly ClaimRow[],
  positions: readonly FeePositionRow[],
): Promise<void> {
  for (const position of positions)
    await transaction`insert into fee_positions ${transaction({ ...position })} on conflict do nothing`;
  for (const claim of claims)
    await transaction`insert into fee_claims ${transaction({ ...claim })} on conflict do nothing`;
}

type Role = (typeof feeRoles)[number];
type ShareOf = Role | 'other' | 'unknown';

interface PendingClaim extends Omit<ClaimRow, 'poolAddress'> {
  partnerWallet: string | null;
  /** The wallet for which the migration created the position. Null without such a position. */
  positionOwner: string | null;
  /**
   * Whether the positions of the migration are known. Curve and AMM pool are read independently, so a claim
   * may come first.
   */
  isMigrationKnown: boolean;
}

type ShareFacts = Pick<
  PendingClaim,
  'kind' | 'claimantWallet' | 'partnerWallet' | 'positionOwner' | 'isMigrationKnown'
>;

/**
 * The party of a claim (contract/staking-fees#roles). `unknown` until the pool's config, which holds the
 * partner, and the positions of the migration are known.
 */
export function shareOf(claim: ShareFacts): ShareOf {
  const { kind, claimantWallet, partnerWallet, positionOwner, isMigrationKnown } = claim;
  switch (kind) {
    case 'curveCreatorFee':
    case 'curveCreatorSurplus':
      return 'creator';
    case 'curvePartnerFee':
    case 'curvePartnerSurplus':
    case 'curveProtocolFee':
    case 'ammProtocolFee':
      return 'platform';
    case 'curveMigrationFee':
      return partnerOrCreator(claimantWallet, partnerWallet);
    case 'positionFee':
      if (positionOwner === null) return isMigrationKnown ? 'other' : 'unknown';
      return partnerOrCreator(positionOwner, partnerWallet);
    case 'curveLeftover':
      return 'other';
  }
}

/** Only these two can have a share of a migration. */
function partnerOrCreator(wallet: string, partnerWallet: string | null): ShareOf {
  if (partnerWallet === null) return 'unknown';
  return wallet === partnerWallet ? 'platform' : 'creator';
}

/** Larger than every index that a feed reports. */
const INDEX_STRIDE = 65_536;

/** The position of a claim as the index of a payment. One instruction may hold several claims. */
export function paymentIndex({
  outerIndex,
  innerIndex,
}: Pick<ClaimRow, 'outerIndex' | 'innerIndex'>): number {
  return (outerIndex + 1) * INDEX_STRIDE + innerIndex;
}

/**
 * Makes distributions, with their events, from the claims of these tokens whose party is now known. Several
 * processes may do this at the same time: each claim is distributed once.
 */
export async function distributeClaims(
  transaction: Transaction,
  outbox: Outbox,
  describe: (fact: DistributionFact) => unknown,
  mints: readonly string[],
): Promise<void> {
  await lockTokens(transaction, mints);
  const pending = await transaction<PendingClaim[]>`
    select c.transaction_signature, c.outer_index, c.inner_index, c.mint_address, c.kind, c.claimant_wallet,
      c.position_address, c.recipient_wallet, c.amount_lamports::text, c.slot, c.claimed_at,
      p.partner_wallet, o.owner_wallet as position_owner,
      exists (select from fee_positions k where k.mint_address = c.mint_address) as is_migration_known
    from fee_claims c
    left join fee_pools p on p.mint_address = c.mint_address
    left join fee_positions o on o.position_address = c.position_address and o.mint_address = c.mint_address
    where c.mint_address = any(${mints as string[]}) and c.status = 'pending'`;
  const settled = pending
    .map((claim) => ({ claim, share: shareOf(claim) }))
    .filter(({ share }) => share !== 'unknown');
  if (settled.length === 0) return;
  const payments = settled.flatMap(({ claim, share }) =>
    share === 'other' || share === 'unknown' ? [] : [toPayment(claim, share)],
  );
  await storeFeeDistributions(transaction, outbox, describe, payments);
  await transaction`
    update fee_claims c set status = s.status
    from unnest(${settled.map(({ claim }) => claim.transactionSignature)}::text[],
      ${settled.map(({ claim }) => claim.outerIndex)}::int4[], ${settled.map(({ claim }) => claim.innerIndex)}::int4[],
      ${settled.map(({ share }) => (share === 'other' ? 'other' : 'distributed'))}::text[])
      as s (transaction_signature, outer_index, inner_index, status)
    where (c.transaction_signature, c.outer_index, c.inner_index)
      = (s.transaction_signature, s.outer_index, s.inner_index)`;
}

function toPayment(claim: PendingClaim, role: Role): ReportedDistribution {
  const { mintAddress, recipientWallet, amountLamports, transactionSignature, slot, claimedAt } = claim;
  return {
    mintAddress,
    recipientWallet,
    role,
    amountLamports,
    transactionSignature,
    instructionIndex: paymentIndex(claim),
    slot: slot.toString(),
    distributedAt: claimedAt.toISOString(),
    source: 'chain',
  };
}
