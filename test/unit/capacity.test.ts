import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readWorkload } from '../../bench/capacity/arguments.ts';
import { type Costs, checkCosts, costNames, loadCosts } from '../../bench/capacity/cost-figures.ts';
import { demandOf, processesFor } from '../../bench/capacity/demand.ts';
import { saturation } from '../../bench/capacity/saturation.ts';
import { fillTables, generatedTables, rough, roughBytes } from '../../bench/capacity/tables.ts';
import { assumptions, baseline, times, type Workload } from '../../bench/capacity/workload.ts';

const root = new URL('../../', import.meta.url);
const nothing: Workload = times(baseline, 0);
/** Costs that are easy to multiply. */
const costs: Costs = {
  ...(Object.fromEntries(costNames.map((name) => [name, 1])) as Record<(typeof costNames)[number], number>),
  tradeReadWorkerUs: 2,
  tradeFollowApiUs: 0,
};
const half = { ...assumptions, busy: 0.5 };
const first = (workload: Partial<Workload>, changes: Partial<Costs>) =>
  saturation(demandOf({ ...nothing, ...workload }, { ...costs, ...changes }, half), half)[0];

describe('what saturates first', () => {
  test.each<[string, Partial<Workload>, Partial<Costs>]>([
    ['api CPU', { reads: 1_000 }, { readCachedApiUs: 1_000, readUncachedApiUs: 1_000 }],
    ['worker CPU', { trades: 100, pools: 1 }, { tradeWorkerUs: 10_000, tradeReadWorkerUs: 10_000 }],
    ['relay CPU', { deliveries: 100, endpoints: 1 }, { deliveryRelayUs: 10_000 }],
    ['Postgres CPU', { deliveries: 100, endpoints: 1 }, { deliveryPostgresUs: 100_000 }],
    ['Postgres WAL', { submissions: 100 }, { submissionWalBytes: 10_000_000 }],
    ['Postgres disk', { submissions: 100 }, { submissionKeptBytes: 100_000 }],
    ['NATS CPU', { trades: 100, pools: 1 }, { tradeNatsUs: 50_000 }],
    ['nodes', { trades: 100, pools: 1 }, { tradeNodeCalls: 1_000 }],
    ['network', { reads: 1_000 }, { readCachedBytes: 1_000_000 }],
  ])('%s, when it takes most of what the smallest deployment has', (resource, workload, changes) => {
    expect(first(workload, changes)?.resource).toBe(resource);
  });

  test('is a share of what may be used in the busiest hour', () => {
    const found = first({ reads: 1_000 }, { readCachedApiUs: 1_000, readUncachedApiUs: 1_000 });
    // One core is busy, and half of it may be.
    expect(found?.share).toBeCloseTo(2, 6);
  });
});

describe('processes of the api', () => {
  test('are as many as the work needs, each with what it spends on following trades', () => {
    expect([processesFor(0, 0, 0.5), processesFor(1, 0, 0.5), processesFor(1.01, 0, 0.5)]).toEqual([1, 2, 3]);
    expect(processesFor(1, 0.25, 0.5)).toBe(4);
  });

  test('are none that suffice, when one cannot follow all trades', () => {
    expect(processesFor(0, 0.5, 0.5)).toBe(Number.POSITIVE_INFINITY);
    const assumed = { ...costs, tradeFollowApiUs: 1_000 };
    expect(demandOf({ ...nothing, trades: 1_000, pools: 1 }, assumed, half).api.processes).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  test('load again what trades have dropped, at most everything that is read', () => {
    const read = (trades: number) =>
      demandOf({ ...nothing, reads: 1_000, trades, pools: 1 }, costs, { ...half, cached: 1 }).reloads;
    expect([read(0), read(10), read(100_000)]).toEqual([0, 10, 1_000]);
  });
});

test('a feed leaves no reader of pools and no calls for trades', () => {
  const workload = { ...nothing, trades: 1_000, pools: 100 };
  const { chainReader, nodeCalls } = demandOf(workload, costs, { ...half, hasFeed: true });
  expect({ cores: chainReader.cores, nodeCalls }).toEqual({ cores: 0, nodeCalls: 0 });
});

test('every share is finite and not negative, for any workload and any costs', () => {
  const rate = fc.double({ min: 0, max: 1e4, noNaN: true });
  const workloads = fc.record({
    trades: rate,
    pools: fc.double({ min: 1, max: 1e5, noNaN: true }),
    reads: rate,
    submissions: rate,
    deliveries: rate,
    endpoints: fc.double({ min: 1, max: 1e5, noNaN: true }),
    readers: rate,
    streams: fc.double({ min: 0, max: 10, noNaN: true }),
  });
  const anyCosts = fc
    .array(fc.double({ min: 0, max: 100, noNaN: true }), {
      minLength: costNames.length,
      maxLength: costNames.length,
    })
    .map((values) => checkCosts(Object.fromEntries(costNames.map((name, at) => [name, values[at]]))));
  fc.assert(
    fc.property(workloads, anyCosts, (workload, given) => {
      const loads = saturation(demandOf(workload, given, half), half);
      expect(loads.filter(({ share }) => !(share >= 0 && Number.isFinite(share)))).toEqual([]);
    }),
  );
});

describe('the options', () => {
  test('are the baseline without any, and so many times of it', () => {
    expect(readWorkload({})).toEqual({ workload: baseline, assumed: assumptions });
    expect(readWorkload({ times: '10', trades: '5' }).workload).toMatchObject({ trades: 50, reads: 10_000 });
    expect(readWorkload({ busy: '50', cached: '0', feed: true }).assumed).toMatchObject({
      busy: 0.5,
      cached: 0,
      hasFeed: true,
    });
  });

  test.each([
    [{ trades: '-1' }, '--trades needs a number from 0 to 1,000,000,000,000, not -1'],
    [{ reads: 'many' }, '--reads needs a number from 0 to 1,000,000,000,000, not many'],
    [{ readers: '' }, '--readers needs a number'],
    [{ streams: 'Infinity' }, '--streams needs a number'],
    [{ busy: '0' }, '--busy needs a number from 1 to 100, not 0'],
    [{ cached: '101' }, '--cached needs a number from 0 to 100, not 101'],
    [{ times: '0' }, '--times needs a number from 0.001'],
    [{ pools: '0' }, 'trades need pools: --pools is 0'],
    [{ pools: '0', trades: '0' }, 'readers follow pools: --pools is 0'],
    [{ endpoints: '0' }, 'deliveries need endpoints: --endpoints is 0'],
  ])('%j are refused', (given, reason) => {
    expect(() => readWorkload(given)).toThrow(reason);
  });

  test('name a cost that is no amount', () => {
    expect(() => checkCosts({ ...costs, apiMb: Number.NaN })).toThrow('the cost apiMb is NaN');
  });
});

test('amounts have two significant digits', () => {
  expect([0, 0.004, 0.126, 1.26, 12.6, 1_260, 1e6, Number.POSITIVE_INFINITY].map(rough)).toEqual([
    '0',
    '0',
    '0.13',
    '1.3',
    '13',
    '1,300',
    '1,000,000',
    'none',
  ]);
  expect([0, 999, 1_500, 2.34e13].map(roughBytes)).toEqual(['0 bytes', '1,000 bytes', '1.5 KB', '23 TB']);
});

test('tables fill their places, empty or not, and nothing beside them', () => {
  const page = 'a\n<!-- capacity: one -->\n<!-- end -->\nb\n<!-- capacity: two -->\nold\n<!-- end -->\nc\n';
  const filled = fillTables(page, { one: '1', two: '2' });
  expect(filled).toBe(
    'a\n<!-- capacity: one -->\n\n1\n\n<!-- end -->\nb\n<!-- capacity: two -->\n\n2\n\n<!-- end -->\nc\n',
  );
  expect(fillTables(filled, { one: '1', two: '2' })).toBe(filled);
  expect(() => fillTables(page, { one: '1' })).toThrow('nothing fills "two"');
});

test('the page on scaling has the tables of the committed costs', async () => {
  const page = await Bun.file(new URL('docs/scaling.md', root)).text();
  const costFile = await loadCosts(new URL('bench/costs.json', root));
  const tables = generatedTables(costFile);
  for (const name of Object.keys(tables)) expect(page).toContain(`<!-- capacity: ${name} -->`);
  expect(page).toBe(fillTables(page, tables));
});
