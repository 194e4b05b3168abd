import type { Transaction } from '../../db/client.ts';
import {
  type PresaleBalance,
  type PresaleMovement,
  participationStatus,
  type WalletBalance,
} from './movement-rules.ts';

type Amounts<Row, Keys extends keyof Row> = Omit<Row, Keys> & Record<Keys, string>;
type PresaleRow = Amounts<
  PresaleBalance,
  'maxCapLamports' | 'perWalletCapLamports' | 'totalDepositedLamports' | 'totalRefundedLamports'
>;
type WalletRow = Amounts<WalletBalance, 'depositedLamports' | 'refundedLamports' | 'claimedRaw'> & {
  allocationRaw: string | null;
};

/**
 * Locks these presales in a fixed order and returns those that exist: movements and transitions of a presale
 * wait for each other.
 */
export async function lockPresales(
  transaction: Transaction,
  ids: readonly string[],
): Promise<Map<string, PresaleBalance>> {
  const rows = await transaction<PresaleRow[]>`
    select id, status, public_start_at, deadline, max_cap_lamports, per_wallet_cap_lamports,
      total_deposited_lamports, total_refunded_lamports, participant_count
    from presales where id = any(${ids as string[]}::uuid[]) order by id for no key update`;
  const toBalance = (row: PresaleRow): PresaleBalance => ({
    ...row,
    maxCapLamports: BigInt(row.maxCapLamports),
    perWalletCapLamports: BigInt(row.perWalletCapLamports),
    totalDepositedLamports: BigInt(row.totalDepositedLamports),
    totalRefundedLamports: BigInt(row.totalRefundedLamports),
  });
  return new Map(rows.map((row) => [row.id, toBalance(row)]));
}

/** Reads the participations of these movements' wallets, where there are any. */
export async function readWallets(
  transaction: Transaction,
  movements: readonly PresaleMovement[],
): Promise<WalletBalance[]> {
  const rows = await transaction<WalletRow[]>`
    select w.presale_id, w.wallet_address, w.deposited_lamports, w.refunded_lamports, w.allocation_raw, w.claimed_raw
    from (select distinct presale_id, wallet_address
      from unnest(${movements.map(({ presaleId }) => presaleId)}::uuid[],
        ${movements.map(({ walletAddress }) => walletAddress)}::text[]) as m (presale_id, wallet_address)) m
    join presale_participations w using (presale_id, wallet_address)`;
  return rows.map((row) => ({
    ...row,
    depositedLamports: BigInt(row.depositedLamports),
    refundedLamports: BigInt(row.refundedLamports),
    allocationRaw: row.allocationRaw === null ? null : BigInt(row.allocationRaw),
    claimedRaw: BigInt(row.claimedRaw),
  }));
}

/** Reads stored movements with the identity of one of these. */
export async function readRecorded(
  transaction: Transaction,
  movements: readonly PresaleMovement[],
): Promise<PresaleMovement[]> {
  const rows = await transaction<Amounts<PresaleMovement, 'amount'>[]>`
    select transaction_signature, instruction_index, presale_id, kind, wallet_address, amount, slot, block_time
    from presale_movements
    where (transaction_signature, instruction_index) in (
      select * from unnest(${movements.map(({ transactionSignature }) => transactionSignature)}::text[],
        ${movements.map(({ instructionIndex }) => instructionIndex)}::int4[]))`;
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** Writes movements and the new balances; the presales are locked. */
export async function writeMovements(
  transaction: Transaction,
  movements: readonly PresaleMovement[],
  presales: readonly PresaleBalance[],
  wallets: readonly WalletBalance[],
  now: Date,
): Promise<void> {
  if (movements.length === 0) return;
  const column = <Key extends keyof PresaleMovement>(key: Key) => movements.map((movement) => movement[key]);
  const ofPresales = (pick: (presale: PresaleBalance) => bigint | number) =>
    presales.map((presale) => String(pick(presale)));
  const ofWallets = (pick: (wallet: WalletBalance) => bigint) =>
    wallets.map((wallet) => pick(wallet).toString());
  await Promise.all([
    transaction`
      insert into presale_movements (transaction_signature, instruction_index, presale_id, kind, wallet_address,
        amount, slot, block_time)
      select * from unnest(${column('transactionSignature')}::text[], ${column('instructionIndex')}::int4[],
        ${column('presaleId')}::uuid[], ${column('kind')}::text[], ${column('walletAddress')}::text[],
        ${column('amount').map(String)}::numeric[], ${column('slot').map(String)}::int8[],
        ${column('blockTime').map((time) => time.toISOString())}::timestamptz[])`,
    transaction`
      update presales p set total_deposited_lamports = m.deposited, total_refunded_lamports = m.refunded,
        participant_count = m.participants, updated_at = ${now}
      from unnest(${presales.map(({ id }) => id)}::uuid[],
        ${ofPresales((presale) => presale.totalDepositedLamports)}::numeric[],
        ${ofPresales((presale) => presale.totalRefundedLamports)}::numeric[],
        ${ofPresales((presale) => presale.participantCount)}::int4[]) as m (id, deposited, refunded, participants)
      where p.id = m.id`,
    transaction`
      insert into presale_participations (presale_id, wallet_address, status, deposited_lamports, refunded_lamports,
        allocation_raw, claimed_raw, created_at, updated_at)
      select *, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${wallets.map(({ presaleId }) => presaleId)}::uuid[],
        ${wallets.map(({ walletAddress }) => walletAddress)}::text[], ${wallets.map(participationStatus)}::text[],
        ${ofWallets((wallet) => wallet.depositedLamports)}::numeric[],
        ${ofWallets((wallet) => wallet.refundedLamports)}::numeric[],
        ${wallets.map(({ allocationRaw }) => allocationRaw?.toString() ?? null)}::numeric[],
        ${ofWallets((wallet) => wallet.claimedRaw)}::numeric[])
      on conflict (presale_id, wallet_address) do update set status = excluded.status,
        deposited_lamports = excluded.deposited_lamports, refunded_lamports = excluded.refunded_lamports,
        claimed_raw = excluded.claimed_raw, updated_at = excluded.updated_at`,
  ]);
}
