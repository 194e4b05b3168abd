import type { Queryable } from '../../../db/client.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';

/** Maximum bytes of the files of an account's exports together (contract/operations#kept-bytes). */
export const KEPT_BYTES_MAX = BigInt(unpublishedLimits.exportBytesPerAccount);
/**
 * A smaller file counts as this many bytes, because rows have a cost as well. It bounds the number of files.
 */
const FILE_BYTES_MIN = 65_536;
/** Files are kept for 7 days after their export has ended; the operation may have begun earlier. */
const LOOKED_BACK = '14 days';

export interface KeptFiles {
  bytes: bigint;
  /** When the oldest file is removed; null without files. */
  freeAt: Date | null;
}

/**
 * The files of an account's exports, with the pieces of unfinished ones. Unfinished exports write at the same
 * time, so together they can pass the bound by one piece each.
 */
export async function findKeptFiles(db: Queryable, accountId: string): Promise<KeptFiles> {
  const [row] = await db<KeptFiles[]>`
    select coalesce(sum(greatest(coalesce(r.byte_length, (o.checkpoint->>'byteLength')::int8), ${FILE_BYTES_MIN})), 0)::int8
      as bytes, min(r.expires_at) as free_at
    from operations o left join operation_results r on r.operation_id = o.id
    where o.account_id = ${accountId} and o.kind = 'audience_export' and o.id >= ${startedFrom(db, LOOKED_BACK)}
      and (o.status in ('queued', 'running') or (o.status = 'succeeded' and r.operation_id is not null))`;
  return row ?? { bytes: 0n, freeAt: null };
}

/**
 * SQL: the lowest possible id (UUIDv7) of an operation that was started within the interval, by the clock of
 * the database.
 */
export function startedFrom(db: Queryable, interval: string) {
  return db`(lpad(to_hex((extract(epoch from now() - ${interval}::interval) * 1000)::int8), 12, '0')
    || '70008000000000000000')::uuid`;
}
