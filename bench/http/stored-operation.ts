import type { Database } from '../../src/db/client.ts';

/** Stores an operation that runs; returns its id. */
export async function storeOperation(database: Database, accountId: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  await database`
    insert into operations (id, account_id, kind, status, input, progress_completed, progress_total, progress_unit,
      created_at, started_at)
    values (${id}, ${accountId}, 'report', 'running', '{}', 10, 20, 'items', now(), now())`;
  return id;
}
