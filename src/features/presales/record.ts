import type { Queryable } from '../../db/client.ts';
import type { presaleStatuses } from '../../db/values/presales.ts';
import type { Presale } from './schema.ts';

export type PresaleStatus = (typeof presaleStatuses)[number];

/** Columns of `presales`; amounts as Postgres prints them. */
export interface PresaleRow {
  id: string;
  mintAddress: string;
  status: PresaleStatus;
  burnBps: number;
  poolBps: number;
  saleBps: number;
  creatorCommitmentLamports: string;
  minCapLamports: string;
  maxCapLamports: string;
  perWalletCapLamports: string;
  totalDepositedLamports: string;
  participantCount: number;
  publicStartAt: Date;
  deadline: Date;
  createdAt: Date;
  updatedAt: Date;
}

export function toPresale(row: PresaleRow): Presale {
  return {
    id: row.id,
    mintAddress: row.mintAddress,
    status: row.status,
    allocationsBps: { burn: row.burnBps, pool: row.poolBps, sale: row.saleBps },
    creatorCommitmentLamports: row.creatorCommitmentLamports,
    minCapLamports: row.minCapLamports,
    maxCapLamports: row.maxCapLamports,
    perWalletCapLamports: row.perWalletCapLamports,
    totalDepositedLamports: row.totalDepositedLamports,
    participantCount: row.participantCount,
    publicStartAt: row.publicStartAt.toISOString(),
    deadline: row.deadline.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Columns of a PresaleRow, from `presales p`. */
export function presaleColumns(db: Queryable) {
  return db`
    p.id, p.mint_address, p.status, p.burn_bps, p.pool_bps, p.sale_bps, p.creator_commitment_lamports,
    p.min_cap_lamports, p.max_cap_lamports, p.per_wallet_cap_lamports, p.total_deposited_lamports,
    p.participant_count, p.public_start_at, p.deadline, p.created_at, p.updated_at`;
}
