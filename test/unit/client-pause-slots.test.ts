import { expect, spyOn, test } from 'bun:test';
import { pauseSlots } from '../../packages/client/src/waits/pause-slots.ts';
import type { Read } from '../../packages/client/src/waits/wait-for.ts';

const POLLS = 3;
const SLOTS = 5;

/** The lengths of some pauses of five slots, none of which takes time, and how often the service was asked. */
async function pausesOf(answer: () => unknown) {
  let reads = 0;
  const read = (async () => {
    reads += 1;
    return { body: answer() };
  }) as unknown as Read;
  const pauses: unknown[] = [];
  const timers = spyOn(globalThis, 'setTimeout').mockImplementation(((end: () => void, ms: number) => {
    pauses.push(ms);
    queueMicrotask(end);
  }) as never);
  try {
    for (let poll = 0; poll < POLLS; poll += 1) await pauseSlots(read, SLOTS);
  } finally {
    timers.mockRestore();
  }
  return { pauses, reads };
}

test.each([
  ['as the service measured it', () => ({ network: { slotMs: 400 } }), 2_000],
  ['very fast, but for a least pause', () => ({ network: { slotMs: 20 } }), 250],
  ['very slow, but for a longest pause', () => ({ network: { slotMs: 60_000 } }), 5_000],
  ['not measured', () => ({ network: { slotMs: null } }), 1_000],
  ['not what it should be', () => ({ network: { slotMs: 'soon' } }), 1_000],
  ['negative', () => ({ network: { slotMs: -1 } }), 1_000],
  ['null in whole', () => ({ network: null }), 1_000],
  ['unknown to an older release', () => ({}), 1_000],
  [
    'of a service that does not respond',
    () => {
      throw new Error('no connection');
    },
    1_000,
  ],
])('a pause of slots lasts as the pace says: %s. All pauses of a minute ask once', async (_, answer, ms) => {
  expect(await pausesOf(answer)).toEqual({ pauses: Array(POLLS).fill(ms), reads: 1 });
});
