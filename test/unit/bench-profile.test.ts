import { expect, test } from 'bun:test';
import { summarise } from '../../bench/profile/read-profile.ts';

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
