import type { Queryable } from '../../db/client.ts';
import { type ImageRow, imageColumns } from './record.ts';

/** What an account's file became when it was uploaded before; null when it was not. */
export async function findUpload(
  db: Queryable,
  accountId: string,
  sourceHash: string,
): Promise<ImageRow | null> {
  const [row] = await db<ImageRow[]>`
    select ${imageColumns(db)} from images where account_id = ${accountId} and source_hash = ${sourceHash}`;
  return row ?? null;
}

/** True when an image with this hash is in the store, whoever uploaded it. */
export async function isImageKnown(db: Queryable, hash: string): Promise<boolean> {
  const [row] = await db`select 1 from images where hash = ${hash} limit 1`;
  return row !== undefined;
}

/** Those of the hashes that a row names, whoever uploaded them. */
export async function findNamedHashes(db: Queryable, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ hash: string }[]>`
    select distinct hash from images where hash = any(${hashes as string[]}::text[])`;
  return new Set(rows.map(({ hash }) => hash));
}

/** Some hashes that rows name: the first ones, which are as good as random. */
export async function findSomeHashes(db: Queryable, most: number): Promise<string[]> {
  const rows = await db<{ hash: string }[]>`select distinct hash from images order by hash limit ${most}`;
  return rows.map(({ hash }) => hash);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What an account has uploaded in the last 24 hours. */
export async function findDayOfUploads(
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<{ images: number; bytes: number }> {
  const since = new Date(now.getTime() - DAY_MS);
  const [row] = await db<{ images: number; bytes: number }[]>`
    select count(*)::int as images, coalesce(sum(byte_length), 0)::int as bytes from images
    where account_id = ${accountId} and created_at > ${since}`;
  return row ?? { images: 0, bytes: 0 };
}
