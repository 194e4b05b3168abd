import type { Queryable } from './client.ts';

/**
 * SQL: a new UUIDv7 (RFC 9562 section 5.7) for each row: 48 bits of milliseconds over a random UUIDv4, whose
 * version bits 0100 become 0111. Postgres has `uuidv7()` only from version 18 on.
 */
export function uuidV7(sql: Queryable) {
  return sql`encode(
    set_bit(set_bit(overlay(
      uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6
    ), 52, 1), 53, 1), 'hex')::uuid`;
}
