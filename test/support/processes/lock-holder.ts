// A separate process that takes a lock and writes under it repeatedly, until it has lost the lock:
//   bun test/support/processes/lock-holder.ts <database url> <name>
import { advisoryLocks, withAdvisoryLock } from '../../../src/db/advisory-lock.ts';
import { connectDatabase } from '../../../src/db/client.ts';

const [url = '', name = ''] = process.argv.slice(2);
const pool = connectDatabase(url, { applicationName: name, connections: 3 });
const ending = await withAdvisoryLock(
  pool,
  advisoryLocks.intentConfirmer,
  async ({ database }) => {
    for (;;)
      await database.begin((transaction) => transaction`insert into written (holder) values (${name})`);
  },
  // A busy machine is silent for less.
  { heartbeatMs: 100, silenceMs: 2_000 },
).then(
  () => 'not held',
  (error: unknown) => String(error),
);
process.stdout.write(`ended: ${ending}\n`);
process.exit(0);
