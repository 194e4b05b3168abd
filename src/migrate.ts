import { loadAdminConfig } from './config.ts';
import { migrate } from './db/migrate.ts';

/** `npm run migrate`: brings `DATABASE_URL` to the newest schema. Exit code 0 done, 1 failed. */
try {
  await migrate(loadAdminConfig(() => ({})).databaseUrl);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : Bun.inspect(error)}\n`);
  process.exit(1);
}
