import { expect, test } from 'bun:test';
import { join, resolve } from 'node:path';
import { countAllocations } from '../../bench/profile/read-allocations.ts';
import { summarise } from '../../bench/profile/read-profile.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const ROOT = '/tree';
const node = (id: number, functionName: string, url: string, lineNumber = 0) => ({
  id,
  callFrame: { functionName, url, lineNumber },
});

function profile(samples: number[], timeDeltas: number[]): string {
  return JSON.stringify({
    nodes: [
      node(1, '(root)', ''),
      node(2, 'respond', 'file:///tree/src/api/main.ts', 9),
      node(3, 'parse', 'file:///tree/node_modules/@scope/name/index.js', 4),
      node(4, '', 'node:net'),
    ],
    samples,
    timeDeltas,
  });
}

test('own time is summed by function, the largest first, with its place', () => {
  const { busyMs, functions } = summarise(profile([2, 3, 2, 4], [1_000, 500, 1_500, 250]), ROOT);
  expect(busyMs).toBe(3.25);
  expect(functions).toEqual([
    { name: 'respond', place: 'src/api/main.ts:10', selfMs: 2.5 },
    { name: 'parse', place: '@scope/name', selfMs: 0.5 },
    { name: '(anonymous)', place: 'node:net:1', selfMs: 0.25 },
  ]);
});

test('a pause before a sample is not the time of its function', () => {
  const { busyMs, waitingMs, functions } = summarise(profile([2, 2], [1_000, 5_002_000]), ROOT);
  expect(functions).toEqual([{ name: 'respond', place: 'src/api/main.ts:10', selfMs: 3 }]);
  expect({ busyMs, waitingMs }).toEqual({ busyMs: 3, waitingMs: 5_000 });
});

test('allocations are sorted by number, and divided by the requests of a server', () => {
  expect(countAllocations('{"Request":10,"string":5,"Promise":25}')).toEqual({
    requests: 10,
    objects: 40,
    types: [
      { type: 'Promise', count: 25, perRequest: 2.5 },
      { type: 'Request', count: 10, perRequest: 1 },
      { type: 'string', count: 5, perRequest: 0.5 },
    ],
  });
  expect(countAllocations('{"string":5}').types).toEqual([{ type: 'string', count: 5, perRequest: null }]);
});

test('a process that collects nothing counts every object that it allocates after its start', async () => {
  const folder = createTempDir('allocations');
  const file = join(folder, 'api.allocations.json');
  const script = join(folder, 'allocate.ts');
  await Bun.write(
    script,
    `await Bun.sleep(1_200);
     let days = 0;
     for (let at = 0; at < 20_000; at++) days += new Date(at).getTime() > 0 ? 1 : 0;
     console.log(days);`,
  );
  const child = Bun.spawn([process.execPath, script], {
    env: {
      BUN_OPTIONS: `--preload=${resolve('bench/profile/count-allocations.ts')}`,
      BUN_JSC_useGC: '0',
      BENCH_ALLOCATIONS_FILE: file,
    },
  });
  expect(await child.exited).toBe(0);
  const { types } = countAllocations(await Bun.file(file).text());
  expect(types.find(({ type }) => type === 'Date')?.count).toBeGreaterThanOrEqual(20_000);
});
