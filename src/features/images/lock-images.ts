import type { Transaction } from '../../db/client.ts';

/** Keeps a sweep from an image until the transaction that names it ends. */
export async function lockImage(transaction: Transaction, hash: string): Promise<void> {
  await transaction`select pg_advisory_xact_lock(${lockKey(transaction, transaction`${hash}::text`)})`;
}

/** Locks images until the transaction ends, without waiting. Returns those that no other transaction has. */
export async function tryLockImages(
  transaction: Transaction,
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows = await transaction<{ hash: string }[]>`
    select hash from unnest(${hashes as string[]}::text[]) as given (hash)
    where pg_try_advisory_xact_lock(${lockKey(transaction, transaction`hash`)})`;
  return new Set(rows.map(({ hash }) => hash));
}

function lockKey(sql: Transaction, hash: ReturnType<Transaction>) {
  return sql`hashtextextended('image:' || ${hash}, 0)`;
}
