import { expect, test } from 'bun:test';
import type { SignatureRecord } from '../../src/chain/rpc/history-calls.ts';
import { HistoryStart } from '../../src/indexer/pool-history/history-start.ts';
import { wholeSlotCount } from '../../src/indexer/pool-history/pool-walk.ts';
import { type SignatureSource, SignatureWalk } from '../../src/indexer/pool-history/signature-walk.ts';

const record = (number: number, slot = number): SignatureRecord => ({
  signature: `s${number}`,
  slot: BigInt(slot),
  failed: false,
  transactionIndex: null,
});
/** Records 1 to `count`, newest first. */
const history = (count: number) => Array.from({ length: count }, (_, at) => record(count - at));

/** A node that knows `known`, newest first, and never lists more than `cap` at once. */
function node(known: readonly SignatureRecord[], cap = 1_000): SignatureSource {
  const placeOf = (signature: string | undefined) => known.findIndex((one) => one.signature === signature);
  return {
    async list({ before, until, limit }) {
      if (before !== undefined && placeOf(before) === -1) return [];
      const end = placeOf(until);
      const listed = known.slice(placeOf(before) + 1, end === -1 ? undefined : end);
      return listed.slice(0, Math.min(limit, cap));
    },
  };
}

async function walked(source: SignatureSource, from: SignatureRecord | null, pageSize: number) {
  const walk = new SignatureWalk(source, from, pageSize);
  let progress = await walk.advance();
  while (progress === 'more') progress = await walk.advance();
  const found: string[] = [];
  for (let page = await walk.takeOldest(); page !== null; page = await walk.takeOldest())
    found.push(...page.map(({ signature }) => signature));
  return { progress, found };
}

const names = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `s${from + at}`);

test('whatever the page size, everything after the cursor comes oldest first, the newest page anew when it moved', async () => {
  for (const pageSize of [1, 2, 3, 7, 10, 100]) {
    const { progress, found } = await walked(node(history(10)), record(3), pageSize);
    expect(progress).toBe('done');
    // Pages before the newest one are complete; the next walk finds the rest.
    expect(found).toEqual(names(4, 3 + found.length));
    expect(found.length).toBeGreaterThanOrEqual(Math.max(1, 7 - pageSize));
    expect((await walked(node(history(10)), null, pageSize)).found[0]).toBe('s1');
  }
});

test('a node that lists fewer than requested is asked again', async () => {
  expect(await walked(node(history(10), 4), record(1), 1_000)).toMatchObject({ progress: 'done' });
  expect((await walked(node(history(10), 4), null, 1_000)).found[0]).toBe('s1');
});

test('the first page shows whether the node knows the cursor, and nothing newer', async () => {
  const isCursorNewest = async (source: SignatureSource, cursor: SignatureRecord | null) => {
    const walk = new SignatureWalk(source, cursor, 10);
    await walk.advance();
    return walk.isCursorNewest;
  };
  expect(await isCursorNewest(node(history(5)), record(5))).toBe(true);
  expect(await isCursorNewest(node(history(5)), record(4))).toBe(false);
  // It has lost the cursor's transaction: an older record ends the walk, and proves nothing.
  expect(await isCursorNewest(node(history(4)), record(5))).toBe(false);
  expect(await isCursorNewest(node([]), record(5))).toBe(false);
  expect(await isCursorNewest(node([]), null)).toBe(false);
});

test('one request finds everything after the cursor, and proves that it is complete', async () => {
  let asked = 0;
  const source = node(history(10));
  const counted: SignatureSource = {
    list(range) {
      asked += 1;
      return source.list(range);
    },
  };
  const walk = new SignatureWalk(counted, record(8), 1_000);
  expect(await walk.advance()).toBe('done');
  expect((await walk.takeOldest())?.map(({ signature }) => signature)).toEqual(['s9', 's10']);
  expect(await walk.takeOldest()).toBeNull();
  expect(asked).toBe(1);
});

test('a node that lags behind the cursor offers nothing', async () => {
  expect(await walked(node(history(5)), record(8), 3)).toEqual({ progress: 'done', found: [] });
});

test('a node whose history ends after the cursor has a gap, at the edge of a page as well', async () => {
  for (const pageSize of [1, 2, 4, 5, 100]) {
    const { progress } = await walked(node(history(10).slice(0, 4)), record(3), pageSize);
    expect(progress).toBe('gap');
  }
});

test('a cursor that the chain has rolled back does not stop the walk: an older slot proves that nothing is missing', async () => {
  const known = history(10).filter(({ signature }) => signature !== 's5');
  expect(await walked(node(known), record(5), 100)).toEqual({ progress: 'done', found: names(6, 10) });
});

test('a list whose slots rise again is not believed, because trades could follow the older slot', async () => {
  // Record 7 says that it is older than the cursor, which would end the walk in front of records 6 and 5.
  const known = history(10).map((one) => (one.signature === 's7' ? record(7, 2) : one));
  for (const pageSize of [2, 3, 4, 5, 100]) {
    const { progress } = await walked(node(known), record(4), pageSize);
    expect(progress).toBe('gap');
  }
  const walk = new SignatureWalk(node(known), record(4), 100);
  expect(await walk.advance()).toBe('gap');
  expect(await walk.takeOldest()).toBeNull();
});

test('a page that differs at its second listing is not used', async () => {
  let isLying = false;
  const honest = node(history(10));
  const source: SignatureSource = {
    async list(range) {
      const listed = await honest.list(range);
      return isLying && listed.length > 2 ? [record(99), ...listed.slice(1)] : listed;
    },
  };
  const walk = new SignatureWalk(source, null, 4);
  while ((await walk.advance()) === 'more') {}
  await walk.takeOldest();
  isLying = true;
  expect(await walk.takeOldest()).toBeNull();
});

test('a cursor whose transaction has landed again at a later slot is news', async () => {
  const known = [record(5, 12), ...history(10).filter(({ signature }) => signature !== 's5')];
  expect(await walked(node(known), record(5), 100)).toEqual({
    progress: 'done',
    found: [...names(6, 10), 's5'],
  });
});

test('a history of a million signatures is held as one mark a page', async () => {
  let asked = 0;
  const endless: SignatureSource = {
    async list({ before, limit }) {
      asked += 1;
      const newest = before === undefined ? 1_000_000 : Number(before.slice(1)) - 1;
      const count = Math.max(0, Math.min(limit, newest));
      return Array.from({ length: count }, (_, at) => record(newest - at));
    },
  };
  const walk = new SignatureWalk(endless, null, 1_000);
  let progress = await walk.advance();
  while (progress === 'more') progress = await walk.advance();
  expect(progress).toBe('done');
  expect(asked).toBe(1_002);
  expect((await walk.takeOldest())?.[0]?.signature).toBe('s1');
  expect((await walk.takeOldest())?.[0]?.signature).toBe('s1001');
});

test('a batch holds whole slots, and a slot larger than a batch undivided', () => {
  const slots = (...of: number[]) => of.map((slot, at) => record(at, slot));
  expect(wholeSlotCount(slots(1, 2, 3), 5)).toBe(3);
  expect(wholeSlotCount(slots(1, 2, 2, 3), 2)).toBe(1);
  expect(wholeSlotCount(slots(1, 2, 2, 3), 3)).toBe(3);
  expect(wholeSlotCount(slots(1, 1, 1, 2), 2)).toBe(3);
});

test('a first read waits for a node that knows the creation, but not for ever', () => {
  const start = new HistoryStart();
  expect(start.judge(record(9), true)).toBe('whole');
  expect(start.judge(record(9), false)).toBe('another');
  expect(start.judge(record(5), false)).toBe('another');
  expect(start.judge(record(9), false)).toBe('another');
  expect(start.judge(record(5), false)).toBe('pruned');
  expect(start.judge(record(9), false)).toBe('another');
  expect(start.judge(record(9), false)).toBe('pruned');
});
