import type { Database } from '../../../src/db/client.ts';

/**
 * Empties tables and everything that refers to them. Without triggers, because the one that keeps predictions would
 * refuse it; needs the superuser that owns test databases.
 */
export async function emptyTables(db: Database, ...tables: string[]): Promise<void> {
  await db.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction.unsafe(`truncate ${tables.join(', ')} cascade`);
  });
}
