import type { Transaction } from '../../db/client.ts';
import { Refusal } from '../../shared/refusal.ts';
import { type PresaleRow, presaleColumns, toPresale } from './record.ts';
import type { Presale } from './schema.ts';

/** An operator's definition of a presale; amounts in lamports, checked by the database. */
export interface NewPresale {
  id: string;
  mintAddress: string;
  status: 'draft' | 'initializing';
  allocationsBps: { burn: number; pool: number; sale: number };
  creatorCommitmentLamports: string;
  minCapLamports: string;
  maxCapLamports: string;
  perWalletCapLamports: string;
  publicStartAt: Date;
  deadline: Date;
}

/** The reason why a presale cannot be created or published, for the operator. */
export class PresaleRefused extends Refusal {
  override readonly name: string = 'PresaleRefused';
}

/** Stores a presale. Throws PresaleRefused when its token is unknown or its time is over. */
export async function createPresale(
  transaction: Transaction,
  presale: NewPresale,
  now: Date,
): Promise<Presale> {
  if (presale.status === 'initializing' && presale.deadline <= now)
    throw new PresaleRefused('invalid', 'the deadline has passed', '/deadline');
  const { burn, pool, sale } = presale.allocationsBps;
  const [row] = await transaction<PresaleRow[]>`
    insert into presales as p (id, mint_address, status, burn_bps, pool_bps, sale_bps, creator_commitment_lamports,
      min_cap_lamports, max_cap_lamports, per_wallet_cap_lamports, total_deposited_lamports, participant_count,
      public_start_at, deadline, created_at, updated_at)
    select ${presale.id}, mint_address, ${presale.status}, ${burn}, ${pool}, ${sale},
      ${presale.creatorCommitmentLamports}, ${presale.minCapLamports}, ${presale.maxCapLamports},
      ${presale.perWalletCapLamports}, 0, 0, ${presale.publicStartAt}, ${presale.deadline}, ${now}, ${now}
    from tokens where mint_address = ${presale.mintAddress}
    on conflict (id) do nothing
    returning ${presaleColumns(transaction)}`;
  if (row !== undefined) return toPresale(row);
  const known = await transaction`select from tokens where mint_address = ${presale.mintAddress}`;
  if (known.count === 0)
    throw new PresaleRefused('invalid', `token ${presale.mintAddress} does not exist`, '/mintAddress');
  throw new PresaleRefused('conflict', `presale ${presale.id} exists already`);
}

/** Makes a draft public: `draft → initializing`. Throws PresaleRefused when it is no draft or its time is over. */
export async function publishPresale(transaction: Transaction, id: string, now: Date): Promise<Presale> {
  const [row] = await transaction<PresaleRow[]>`
    update presales p set status = 'initializing', updated_at = ${now}
    where id = ${id} and status = 'draft' and deadline > ${now}
    returning ${presaleColumns(transaction)}`;
  if (row !== undefined) return toPresale(row);
  const [found] = await transaction<{ status: string }[]>`select status from presales where id = ${id}`;
  if (found === undefined) throw new PresaleRefused('unknown', `presale ${id} does not exist`);
  throw new PresaleRefused(
    'conflict',
    found.status === 'draft' ? 'the deadline has passed' : `presale ${id} is ${found.status}, not a draft`,
  );
}
