import { expect, test } from 'bun:test';
import { dirname } from 'node:path';
import { startRedis } from '../../../sandbox/services/redis.ts';
import { atEnd } from './cleanup.ts';
import { processesOfTests, RUN_MARK } from './leaked-processes.ts';
import { createTempDir } from './temp-dir.ts';

test('a redis-server of the tests is found, although it overwrites the mark of its run', async () => {
  const dir = createTempDir('redis');
  const { pid, stop } = await startRedis({ dir });
  atEnd(stop);
  const found = processesOfTests(process.env[RUN_MARK] ?? '', dirname(dir)).map((one) => one.pid);
  expect(found).toContain(pid);
  expect(processesOfTests('no mark', `${dir}/other`)).toEqual([]);
});
