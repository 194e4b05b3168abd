import { afterAll, setDefaultTimeout } from 'bun:test';
import { runCleanups } from './cleanup.ts';

// bun 1.4.4 does not read a timeout from bunfig.toml. The limit of tests and hooks alike: it ends a hang and proves no
// speed, so it leaves room for a machine that is several times slower than ours.
setDefaultTimeout(120_000);

// `exit` events do not fire under bun test (1.4.4); a preloaded afterAll runs once, after the last file.
afterAll(runCleanups);
