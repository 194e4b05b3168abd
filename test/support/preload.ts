import { afterAll, setDefaultTimeout } from 'bun:test';
import { runCleanups } from './cleanup.ts';

// bun 1.4.4 does not read a timeout from bunfig.toml. The slowest honest test starts several servers; a test that
// hangs should not hold up the run.
setDefaultTimeout(30_000);

// `exit` events do not fire under bun test (1.4.4); a preloaded afterAll runs once, after the last file.
afterAll(runCleanups);
