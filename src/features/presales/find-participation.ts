import type { Queryable } from '../../db/client.ts';
import { Problem } from '../../shared/problem.ts';
import type { Participation } from './schema.ts';

type ParticipationRow = Omit<Participation, 'presaleId' | 'walletAddress' | 'createdAt' | 'updatedAt'> & {
  presaleId: string;
  createdAt: Date;
  updatedAt: Date;
};

/**
 * Finds a wallet's participation in a public presale. Throws `presale_participation_not_found`, also for a
 * presale that is unknown, a draft, or of a hidden token.
 */
export async function requireParticipation(
  db: Queryable,
  presaleId: string,
  walletAddress: string,
): Promise<Participation> {
  const [row] = await db<ParticipationRow[]>`
    select p.id as presale_id, w.status, w.deposited_lamports, w.refunded_lamports, w.allocation_raw, w.claimed_raw,
      w.created_at, w.updated_at
    from presales p
    join visible_tokens t using (mint_address)
    join presale_participations w on w.presale_id = p.id and w.wallet_address = ${walletAddress}
    where p.id = ${presaleId} and p.status <> 'draft'`;
  if (row === undefined) throw new Problem('presale_participation_not_found');
  return {
    presaleId: row.presaleId,
    walletAddress,
    status: row.status,
    depositedLamports: row.depositedLamports,
    refundedLamports: row.refundedLamports,
    allocationRaw: row.allocationRaw,
    claimedRaw: row.claimedRaw,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
