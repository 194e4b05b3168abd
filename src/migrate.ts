import { loadConfigOf, secretsOf } from './config.ts';
import { migrate } from './db/migrate.ts';
import { loginRefusal } from './db/require-database.ts';
import { fatalErrorText } from './shared/process.ts';

/** `npm run migrate`: brings `DATABASE_URL` to the newest schema. Exit code 0 done, 1 failed. */
try {
  await migrate(loadConfigOf('migrate'));
  process.exit(0);
} catch (error) {
  process.stderr.write(fatalErrorText(loginRefusal(error) ?? error, secretsOf()));
  process.exit(1);
}
