import postgres, { type Sql } from 'postgres';
import { withDatabase } from './database-url.ts';

/** Works over one connection to the database `postgres` of the URL's server, which ends with the work. */
export async function asAdmin(serverUrl: string, work: (admin: Sql) => Promise<unknown>): Promise<void> {
  const admin = postgres(withDatabase(serverUrl, 'postgres'), { max: 1, onnotice: () => {} });
  try {
    await work(admin);
  } finally {
    await admin.end({ timeout: 1 });
  }
}
