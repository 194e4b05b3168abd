import type { Database, Queryable, Transaction } from '../../../db/client.ts';

/** Time that results are kept after their operation succeeded. */
export const RESULT_KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** The file of an operation; its bytes are in the chunks. */
export interface ResultFile {
  contentType: string;
  fileName: string;
  byteLength: bigint;
}

/** The file of an operation; null when there is none or it has expired. */
export async function findResult(db: Queryable, operationId: string, now: Date): Promise<ResultFile | null> {
  const [row] = await db<ResultFile[]>`
    select content_type, file_name, byte_length from operation_results
    where operation_id = ${operationId} and expires_at > ${now}`;
  return row ?? null;
}

/** A piece of a file, numbered from 0; null after the last one. */
export async function findChunk(
  db: Queryable,
  operationId: string,
  ordinal: number,
): Promise<Uint8Array | null> {
  const [row] = await db<{ content: Uint8Array }[]>`
    select content from operation_result_chunks where operation_id = ${operationId} and ordinal = ${ordinal}`;
  return row?.content ?? null;
}

/** Adds the next piece of an unfinished file; the table refuses more than 256 KiB. */
export async function insertChunk(
  transaction: Transaction,
  operationId: string,
  ordinal: number,
  content: Uint8Array,
): Promise<void> {
  await transaction`
    insert into operation_result_chunks (operation_id, ordinal, content)
    values (${operationId}, ${ordinal}, ${content})`;
}

/** Completes a file: from now on it can be fetched. */
export async function insertResult(
  transaction: Transaction,
  operationId: string,
  { contentType, fileName, byteLength }: ResultFile,
  now: Date,
): Promise<Date> {
  const expiresAt = new Date(now.getTime() + RESULT_KEPT_MS);
  await transaction`
    insert into operation_results (operation_id, content_type, file_name, byte_length, expires_at)
    values (${operationId}, ${contentType}, ${fileName}, ${byteLength}, ${expiresAt})`;
  return expiresAt;
}

/** Deletes the pieces that an unfinished run wrote. */
export async function deleteChunks(transaction: Transaction, operationId: string): Promise<void> {
  await transaction`delete from operation_result_chunks where operation_id = ${operationId}`;
}

/** Deletes expired files with their bytes, at most `limit` at a time. Returns the number of files. */
export async function deleteExpiredResults(db: Database, now: Date, limit: number): Promise<number> {
  const deleted = await db`
    with expired as (
      select operation_id from operation_results where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked
    ), emptied as (
      delete from operation_result_chunks where operation_id in (select operation_id from expired)
    )
    delete from operation_results where operation_id in (select operation_id from expired)`;
  return deleted.count;
}
