// bun bench/shared-postgres-process.ts: one durable Postgres with an empty, migrated database, for all cases of a quick
// run. Prints its address, and ends when the run does: the run holds the other end of its stdin.

import { startBenchPostgres } from './cases/bench-postgres.ts';
import { createDataFolder } from './cases/durable-servers.ts';
import { Resources } from './cases/resources.ts';
import { runStoppable } from './run-stoppable.ts';

await runStoppable(async (signal) => {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).resume();
    signal.addEventListener('abort', () => resolve());
  });
  const resources = await Resources.build(async (own) => {
    const { url } = await startBenchPostgres(own, (await createDataFolder(own)).dataDir);
    console.log(url);
    return own;
  });
  await ended;
  await resources.close();
  return 0;
});
