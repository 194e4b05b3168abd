import { expect, test } from 'bun:test';
import { type LatencyFile, latenciesPage } from '../../bench/latencies/page.ts';
import { queueGrows } from '../../bench/load/queue-growth.ts';

type Row = Record<string, number>;

function file(rows: Record<string, Row>, loadBefore = 0.2): LatencyFile {
  return {
    machine: {
      cpu: 'Xeon',
      cores: 2,
      memoryGiB: 4,
      bun: '1',
      node: '2',
      postgres: '17',
      commit: 'aaa',
      date: '2026-11-20T00:00:00.000Z',
      loadBefore,
    },
    quick: false,
    tookSeconds: 330,
    figures: Object.entries(rows).map(([name, median]) => ({ name, median, rounds: [median] })),
  };
}

const row: Row = {
  ratePerSecond: 3_000,
  p50Ms: 1.5,
  p99Ms: 12,
  overloads: 0,
  apiCores: 0.2,
  postgresCores: 0.6,
  generatorCores: 0.1,
  busyCores: 1.1,
};
const rowsOf = (page: string) => page.match(/^\| submission.*$/gm);

test('the page of latencies has rate, percentiles, busy cores, and what is full first', () => {
  const page = latenciesPage(file({ 'submission, 3000/s': row }));
  expect(rowsOf(page)).toEqual([
    '| submission | 3,000 | 1.50 | 12.0 | 1.10 of 2 | the machine: 55 %, most of it Postgres (0.60 cores) |',
  ]);
  expect(page).toContain('commit aaa, load before the run 0.20');
  expect(page).toContain('5.5 min this time');
  expect(page).not.toContain('not to be quoted');
});

test('the links of the page of a quick run lead from its folder', () => {
  const page = latenciesPage(file({ 'submission, 1/s': row }), '../..');
  expect(page).toContain('(../../where-the-time-goes.md#a-submission)');
  expect(page).toContain('(../../../docs/scaling.md)');
});

test('an event loop is full at one core, Postgres and the machine at all of them', () => {
  const [loop] =
    rowsOf(latenciesPage(file({ 'submission, 1/s': { ...row, apiCores: 0.8, busyCores: 1.5 } }))) ?? [];
  expect(loop).toEndWith('| the api: 80 % of its core |');
});

test('an overload and a percentile of too few samples are called so', () => {
  const { p99Ms: _, ...short } = row;
  const page = latenciesPage(file({ 'submission, 1/s': { ...row, overloads: 1 }, 'submission, 2/s': short }));
  const [overload, few] = rowsOf(page) ?? [];
  expect(overload).toStartWith(
    '| submission | 3,000 | overload: the queue grows for the whole round |  | 1.10',
  );
  const [standing, second] =
    rowsOf(
      latenciesPage(
        file({ 'submission, 1/s': { ...row, p50Ms: 1_001 }, 'submission, 2/s': { ...row, p50Ms: 1_000 } }),
      ),
    ) ?? [];
  expect(standing).toStartWith(
    '| submission | 3,000 | overload: half of the requests wait more than a second |  | 1.10',
  );
  expect(second).toStartWith('| submission | 3,000 | 1,000 | 12.0 |');
  expect(few).toStartWith('| submission | 3,000 | 1.50 | too few samples |');
});

test('latencies beside other programs are not to be quoted, whether these ran before or meanwhile', () => {
  expect(latenciesPage(file({ 'submission, 1/s': row }, 0.51))).toContain(
    '\n**busy machine (load 0.51): not to be quoted.**\n',
  );
  const meanwhile = latenciesPage(
    file({ 'submission, 1/s': row, 'submission, 2/s': { ...row, busyCores: 1.9 } }),
  );
  expect(meanwhile).toContain('\n**other programs used up to 1.0 cores: not to be quoted.**\n');
  expect(rowsOf(meanwhile)?.[1]).toContain('most of it other programs (1.00 cores)');
  expect(latenciesPage({ ...file({ 'submission, 1/s': row }), quick: true })).toContain(
    'quick: not to be quoted',
  );
});

test('a queue grows when each third of the requests waits longer, and the last for a part of the round', () => {
  const waits = (msOf: (at: number) => number) => Array.from({ length: 300 }, (_, at) => msOf(at));
  const roundMs = 10_000;
  // A server that does nine tenths of what is asked.
  expect(
    queueGrows(
      waits((at) => at * 3.3),
      roundMs,
    ),
  ).toBe(true);
  // A slow start, a stall in the middle, and growth that is lost in the jitter.
  expect(
    queueGrows(
      waits((at) => (at < 100 ? 2_000 : 5)),
      roundMs,
    ),
  ).toBe(false);
  expect(
    queueGrows(
      waits((at) => (at > 100 && at < 200 ? 2_000 : 5)),
      roundMs,
    ),
  ).toBe(false);
  expect(
    queueGrows(
      waits((at) => 5 + at / 100),
      roundMs,
    ),
  ).toBe(false);
  expect(queueGrows([], roundMs)).toBe(false);
});

test('the committed page of latencies is the one of the committed measurement', async () => {
  const folder = new URL('../../bench/', import.meta.url).pathname;
  const measured = (await Bun.file(`${folder}latencies.json`).json()) as LatencyFile;
  expect(await Bun.file(`${folder}latencies.md`).text()).toBe(latenciesPage(measured));
});
