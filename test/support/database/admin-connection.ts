import postgres, { type Sql } from 'postgres';
import { withDatabase } from './database-url.ts';

/** Runs `work` with a connection to the database `postgres` of the URL's server, and then closes the
 * connection. */
export async function asAdmin(serverUrl: string, work: (admin: Sql) => Promise<unknown>): Promise<void> {
  const admin = postgres(withDatabase(serverUrl, 'postgres'), { max: 1, onnotice: () => {} });
  try {
    await work(admin);
  } finally {
    await admin.end({ timeout: 1 });
  }
}
