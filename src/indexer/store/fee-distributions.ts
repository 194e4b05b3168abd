import type { Transaction } from '../../db/client.ts';
import type { feeRoles } from '../../db/values/fees.ts';
import type { Outbox } from '../../outbox/append.ts';
import { lockTokens, mintsWithPool } from './write-locks.ts';

/** A payment of fees as its source reports it (contract/staking-fees#fee-distribution). */
export interface ReportedDistribution {
  mintAddress: string;
  recipientWallet: string;
  role: (typeof feeRoles)[number];
  amountLamports: string;
  transactionSignature: string;
  instructionIndex: number;
  slot: string;
  distributedAt: string;
  /** `chain`: read from the claim itself. Absent for feeds. */
  source?: 'chain';
}

export interface DistributionFact {
  id: string;
  mintAddress: string;
  recipientWallet: string;
  role: (typeof feeRoles)[number];
  amountLamports: string;
  transactionSignature: string;
  slot: bigint;
  distributedAt: Date;
}

export interface StoredDistributions<Reported> {
  /** Unknown mints of the batch. Their payments are not stored. */
  unknownMints: ReadonlySet<string>;
  /** Payments that were not stored, because another payment has their identity. */
  conflicts: ReadonlySet<Reported>;
}

// Namespace of distribution ids (UUIDv5, RFC 9562 section 5.5): an arbitrary constant that must never change.
const DISTRIBUTION_NAMESPACE = '5a1c7f0e-94f7-5f0b-8a57-3f0d3a0c6f21';

const idOf = ({ transactionSignature, instructionIndex }: ReportedDistribution) =>
  Bun.randomUUIDv5(`${transactionSignature}:${instructionIndex}`, DISTRIBUTION_NAMESPACE);

/**
 * Stores payments, adds them to their token's total and appends their events, all in the caller's
 * transaction. A payment that is already stored changes and appends nothing. For a token with a pool,
 * payments of feeds are ignored, except those to stakers, which the programs do not make. Payments of a
 * hidden token send no event (contract/staking-fees#hidden-tokens).
 *
 * @param describe the public record of a payment for its event.
 */
export async function storeFeeDistributions<Reported extends ReportedDistribution>(
  transaction: Transaction,
  outbox: Outbox,
  describe: (fact: DistributionFact) => unknown,
  reported: readonly Reported[],
): Promise<StoredDistributions<Reported>> {
  const mints = [...new Set(reported.map(({ mintAddress }) => mintAddress))];
  const tokens = await lockTokens(transaction, mints);
  const withPool = await mintsWithPool(transaction, mints);
  const known = reported.filter(
    ({ mintAddress, role, source }) =>
      tokens.has(mintAddress) && (source === 'chain' || role === 'stakers' || !withPool.has(mintAddress)),
  );
  const added = await insertDistributions(transaction, known);
  await addToTotals(transaction, added);
  const hidden = await hiddenMints(transaction, added);
  const announced = added.filter(({ mintAddress }) => !hidden.has(mintAddress));
  await Promise.all(
    announced.map((fact) => {
      const event = {
        name: 'fee_distribution.completed',
        subject: fact.mintAddress,
        accountId: null,
      } as const;
      return outbox.append(transaction, { ...event, data: describe(fact) });
    }),
  );
  return {
    unknownMints: new Set(mints.filter((mint) => !tokens.has(mint))),
    conflicts: await findConflicts(transaction, known),
  };
}

/**
 * Inserts new payments and returns them, in one order for all workers, so that ordinals within a slot follow
 * its transactions. When a batch has several payments with one identity, the first is stored.
 */
async function insertDistributions(transaction: Transaction, unsorted: readonly ReportedDistribution[]) {
  const reported = unsorted.toSorted(inChainOrder);
  const column = <Key extends keyof ReportedDistribution>(key: Key) => reported.map((one) => one[key]);
  return transaction<DistributionFact[]>`
    insert into fee_distributions (id, mint_address, recipient_wallet, role, amount_lamports, transaction_signature,
      instruction_index, slot, distributed_at, source)
    select * from unnest(${reported.map(idOf)}::uuid[], ${column('mintAddress')}::text[],
      ${column('recipientWallet')}::text[], ${column('role')}::text[], ${column('amountLamports')}::numeric[],
      ${column('transactionSignature')}::text[], ${column('instructionIndex')}::int4[], ${column('slot')}::int8[],
      ${column('distributedAt')}::timestamptz[], ${reported.map(({ source = 'feed' }) => source)}::text[])
    on conflict do nothing
    returning id, mint_address, recipient_wallet, role, amount_lamports, transaction_signature, slot, distributed_at`;
}

function inChainOrder(one: ReportedDistribution, other: ReportedDistribution): number {
  const slots = BigInt(one.slot) - BigInt(other.slot);
  if (slots !== 0n) return slots < 0n ? -1 : 1;
  if (one.transactionSignature !== other.transactionSignature)
    return one.transactionSignature < other.transactionSignature ? -1 : 1;
  return one.instructionIndex - other.instructionIndex;
}

async function addToTotals(transaction: Transaction, added: readonly DistributionFact[]): Promise<void> {
  if (added.length === 0) return;
  await transaction`
    insert into fee_totals as t (mint_address, distributed_lamports)
    select mint_address, sum(amount) from unnest(${added.map(({ mintAddress }) => mintAddress)}::text[],
      ${added.map(({ amountLamports }) => amountLamports)}::numeric[]) as a (mint_address, amount)
    group by mint_address
    on conflict (mint_address) do update
    set distributed_lamports = t.distributed_lamports + excluded.distributed_lamports`;
}

async function hiddenMints(
  transaction: Transaction,
  added: readonly DistributionFact[],
): Promise<Set<string>> {
  const rows = await transaction<{ mintAddress: string }[]>`
    select mint_address from tokens
    where mint_address = any(${added.map(({ mintAddress }) => mintAddress)}::text[]) and hidden`;
  return new Set(rows.map(({ mintAddress }) => mintAddress));
}

type StoredContents = Omit<ReportedDistribution, 'slot' | 'distributedAt' | 'source'>;

/**
 * Payments that differ from the stored one with their identity. The slot may differ, because a transaction
 * can land again.
 */
async function findConflicts<Reported extends ReportedDistribution>(
  transaction: Transaction,
  reported: readonly Reported[],
): Promise<Set<Reported>> {
  const contents = (one: StoredContents) =>
    [one.mintAddress, one.recipientWallet, one.role, one.amountLamports].join(' ');
  const rows = await transaction<(StoredContents & { id: string })[]>`
    select id, mint_address, recipient_wallet, role, amount_lamports, transaction_signature, instruction_index
    from fee_distributions where id = any(${reported.map(idOf)}::uuid[])`;
  const stored = new Map(rows.map((row) => [row.id, contents(row)]));
  return new Set(reported.filter((one) => stored.get(idOf(one)) !== contents(one)));
}
