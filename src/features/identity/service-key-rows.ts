import type { Database } from '../../db/client.ts';
import type { ServiceKey } from '../../db/schema/service-keys.ts';

export async function insertServiceKey(
  database: Database,
  { id, name, secretHash, groups, createdAt, expiresAt }: Omit<ServiceKey, 'revokedAt'>,
): Promise<void> {
  await database`
    insert into service_keys (id, name, secret_hash, groups, created_at, expires_at)
    values (${id}, ${name}, ${secretHash}, ${groups}, ${createdAt}, ${expiresAt})`;
}

/** Lists every service key, newest first, without their secrets. */
export async function listServiceKeys(database: Database): Promise<Omit<ServiceKey, 'secretHash'>[]> {
  const rows = await database<Omit<ServiceKey, 'secretHash'>[]>`
    select id, name, groups, created_at, expires_at, revoked_at from service_keys order by created_at desc, id`;
  return [...rows];
}

/** Returns when the key was revoked: now, or before. Null when there is no such key. */
export async function revokeServiceKey(database: Database, keyId: string, now: Date): Promise<Date | null> {
  const [row] = await database<{ revokedAt: Date }[]>`
    update service_keys set revoked_at = coalesce(revoked_at, ${now}) where id = ${keyId} returning revoked_at`;
  return row?.revokedAt ?? null;
}
