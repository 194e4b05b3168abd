import { afterAll, setDefaultTimeout } from 'bun:test';
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { runCleanups } from './cleanup.ts';
import { COSTS_FILE, measureFile } from './file-cost.ts';
import { seedPropertyTests } from './seed.ts';
import { PROGRESS_FOLDER, reportProgress } from './test-progress.ts';

// bun 1.4.4 does not read a timeout from bunfig.toml. The limit of tests and hooks alike: it ends a hang and proves no
// speed, so it leaves room for a machine that is several times slower than ours.
setDefaultTimeout(600_000);

seedPropertyTests();

// `exit` events do not fire under bun test (1.4.4); a preloaded afterAll runs once, after the last file.
afterAll(runCleanups);

const file = relative(process.cwd(), Bun.main);
const costsFile = process.env[COSTS_FILE];
if (costsFile !== undefined) {
  const takeCost = measureFile(file);
  afterAll(() => appendFileSync(costsFile, `${JSON.stringify(takeCost())}\n`));
}

const progressFolder = process.env[PROGRESS_FOLDER];
if (progressFolder !== undefined) reportProgress(progressFolder, file);
