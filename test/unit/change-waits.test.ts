import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { followChanges } from '../../src/api/invalidation.ts';
import { CacheRegistry } from '../../src/http/caches/cache-registry.ts';
import { createReadGates } from '../../src/http/caches/read-gates.ts';
import { ChangeMarks } from '../../src/http/waits/change-marks.ts';
import { ChangeWaits, publicWaitOptions } from '../../src/http/waits/change-waits.ts';
import type { HintChannel } from '../../src/shared/bus/hint-channel.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';

/** How late the end of a wait may be noticed. */
const LATE_MS = 250;
/** A time that has passed. */
const PAST_MS = 0;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const waitsFor = (perCallerMax: number) => new ChangeWaits({ waitingMax: 3, perCallerMax, readingMax: 2 });

test('a wait ends in time, whatever other waits have ended before, and no timer runs without one', async () => {
  const waits = waitsFor(3);
  const [first, second, third] = ['a', 'b', 'b'].map((id) => waits.open(id, 'caller', PAST_MS));
  first?.close();
  first?.close();
  expect(waits.count).toBe(2);
  const ends = [second?.changed(), third?.changed()];
  jest.advanceTimersByTime(LATE_MS);
  expect(await Promise.all(ends)).toEqual([false, false]);
  second?.close();
  third?.close();
  expect([waits.count, jest.getTimerCount()]).toEqual([0, 0]);
  const again = waits.open('a', 'caller', PAST_MS);
  jest.advanceTimersByTime(LATE_MS);
  expect(await again?.changed()).toBe(false);
  again?.close();
});

test('the end of a wait can be brought forward, and never put off', async () => {
  const waits = waitsFor(3);
  const sooner = waits.open('a', 'caller', Number.POSITIVE_INFINITY);
  const over = waits.open('a', 'caller', PAST_MS);
  sooner?.endWithin(PAST_MS);
  over?.endWithin(60_000);
  const ends = [sooner?.changed(), over?.changed()];
  jest.advanceTimersByTime(LATE_MS);
  expect(await Promise.all(ends)).toEqual([false, false]);
  for (const wait of [sooner, over]) wait?.close();
});

test('the waits of one caller are bounded, and so are the waits of all callers', () => {
  const waits = waitsFor(2);
  const open = (caller: string) => waits.open('record', caller, Number.POSITIVE_INFINITY);
  const [one, two] = [open('a'), open('a')];
  expect([one, two, open('a')].map((wait) => wait !== null)).toEqual([true, true, false]);
  const other = open('b');
  expect([other, open('c')].map((wait) => wait !== null)).toEqual([true, false]);
  expect(waits.refused).toBe(2);
  one?.close();
  const next = open('a');
  expect([next, open('a')].map((wait) => wait !== null)).toEqual([true, false]);
  for (const wait of [two, next, other]) wait?.close();
});

test('each wait that ends gives its caller room for one more', () => {
  const waits = new ChangeWaits({ waitingMax: 9, perCallerMax: 3, readingMax: 2 });
  const open = () => waits.open('record', 'a', Number.POSITIVE_INFINITY);
  const held = [open(), open(), open()];
  held[0]?.close();
  held[1]?.close();
  const next = [open(), open(), open()];
  expect(next.map((wait) => wait !== null)).toEqual([true, true, false]);
  for (const wait of [...held, ...next]) wait?.close();
});

test('reads beyond the bound wait, and start in the order in which they came', async () => {
  const waits = waitsFor(1);
  const begun: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const reads = gates.map(({ promise }, at) =>
    waits.read(() => {
      begun.push(at);
      return promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  gates[1]?.resolve(1);
  await reads[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  gates.forEach(({ resolve }, at) => void resolve(at));
  expect(await Promise.all(reads)).toEqual([0, 1, 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  // Ended reads have freed their places.
  const later = Promise.withResolvers<number>();
  const last = [5, 6, 7].map((at) =>
    waits.read(() => {
      begun.push(at);
      return later.promise;
    }),
  );
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  later.resolve(0);
  await Promise.all(last);
});

test.each([
  ['requests', new ChangeWaits(), 'waitingRequests', 'waitingRequestsPerAccount'],
  ['anonymous reads', new ChangeWaits(publicWaitOptions), 'waitingReads', 'waitingReadsPerClient'],
] as const)(
  'of %s as many wait as the contract says, of a caller and of a process',
  (_what, waits, all, perCaller) => {
    const [allMax, perCallerMax] = [unpublishedLimits[all], unpublishedLimits[perCaller]];
    const held = Array.from({ length: allMax }, (_, at) =>
      waits.open('record', `caller ${Math.floor(at / perCallerMax)}`, Number.POSITIVE_INFINITY),
    );
    expect(held.filter((wait) => wait === null)).toEqual([]);
    expect(waits.open('record', 'another caller', Number.POSITIVE_INFINITY)).toBeNull();
    held.at(-1)?.close();
    expect(waits.open('record', 'caller 0', Number.POSITIVE_INFINITY)).toBeNull();
    const last = waits.open('record', 'another caller', Number.POSITIVE_INFINITY);
    expect(last).not.toBeNull();
    for (const wait of [...held, last]) wait?.close();
  },
);

test('a gap in the hints wakes whoever waits, for a change of an account and of everybody', async () => {
  let onGap = () => {};
  const hintChannel = {
    subscribe() {},
    onGap(listener: () => void) {
      onGap = listener;
    },
  } as unknown as HintChannel;
  const [waits, publicWaits] = [waitsFor(3), waitsFor(3)];
  const caches = new CacheRegistry(createReadGates());
  followChanges(hintChannel, { caches, marketChanges: new ChangeMarks(), waits, publicWaits });
  const open = [waits, publicWaits].map((one) => one.open('a', 'caller', PAST_MS));
  const changed = Promise.all(open.map((wait) => wait?.changed()));
  onGap();
  jest.advanceTimersByTime(LATE_MS);
  expect(await changed).toEqual([true, true]);
  for (const wait of open) wait?.close();
});
