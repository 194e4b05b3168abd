import type { CostFile, Costs } from './cost-figures.ts';
import { type Demand, demandOf } from './demand.ts';
import { type Load, saturation } from './saturation.ts';
import { type Assumptions, assumptions, baseline, times, type Workload } from './workload.ts';

/** A column of the tables. */
export interface Column {
  title: string;
  workload: Workload;
  demand: Demand;
  /** Loads of the smallest deployment, the highest first. */
  loads: Load[];
}

export function columnOf(title: string, workload: Workload, costs: Costs, assumed: Assumptions): Column {
  const demand = demandOf(workload, costs, assumed);
  return { title, workload, demand, loads: saturation(demand, assumed) };
}

type Row = readonly string[];

function markdown(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const workloadRows: readonly (readonly [keyof Workload, string])[] = [
  ['reads', 'reads a second'],
  ['trades', 'trades a second'],
  ['pools', 'pools that trade'],
  ['submissions', 'submissions a second'],
  ['deliveries', 'webhooks a second'],
  ['endpoints', 'endpoints'],
  ['readers', 'streams of one pool'],
  ['streams', 'streams of all trades'],
];

export function workloadTable(columns: readonly Column[]): string {
  return markdown(
    ['', ...columns.map(({ title }) => title)],
    workloadRows.map(([key, meaning]) => [meaning, ...columns.map(({ workload }) => rough(workload[key]))]),
  );
}

/** The three resources of the smallest deployment that are used up first. */
export function saturationTable(columns: readonly Column[]): string {
  const rows = columns.map(({ title, loads }) => [
    title,
    ...loads.slice(0, 3).map(({ resource, share }) => `${resource}, ${rough(share)} times`),
  ]);
  return markdown(['', 'first', 'second', 'third'], rows);
}

export function demandTable(columns: readonly Column[]): string {
  const rows: readonly (readonly [string, (demand: Demand) => string])[] = [
    ['api, cores', (demand) => rough(demand.api.cores)],
    ['share of each api process that follows the log of trades', (demand) => rough(demand.api.followShare)],
    ['reads that query Postgres, a second', (demand) => rough(demand.reloads)],
    ['messages to streams, a second', (demand) => rough(demand.messages)],
    ['reading pools from nodes, cores', (demand) => rough(demand.chainReader.cores)],
    ['confirming, cores', (demand) => rough(demand.confirmer.cores)],
    ['other work of workers, cores', (demand) => rough(demand.worker.cores)],
    ['relay, cores', (demand) => rough(demand.relay.cores)],
    ['Postgres, cores', (demand) => rough(demand.postgres.cores)],
    ['Postgres, WAL a second', (demand) => roughBytes(demand.postgres.walBytes)],
    ['Postgres, growth a day', (demand) => roughBytes(demand.postgres.bytesPerDay)],
    ['Postgres, disk with retention', (demand) => roughBytes(demand.postgres.diskBytes)],
    ['api, memory of all processes', (demand) => roughBytes(demand.api.memoryBytes)],
    ['relay, memory of each process', (demand) => roughBytes(demand.relay.memoryBytesEach)],
    ['NATS, cores', (demand) => rough(demand.nats.cores)],
    ['calls of nodes, a second', (demand) => rough(demand.nodeCalls)],
    ['network, a second', (demand) => roughBytes(demand.networkBytes)],
  ];
  return markdown(
    ['', ...columns.map(({ title }) => title)],
    rows.map(([meaning, of]) => [meaning, ...columns.map(({ demand }) => of(demand))]),
  );
}

const costRows: readonly (readonly [
  string,
  Partial<Record<'api' | 'worker' | 'relay' | 'postgres' | 'nats', keyof Costs>>,
  keyof Costs | null,
])[] = [
  ['read from a cache', { api: 'readCachedApiUs' }, null],
  [
    'read of the database (60 candles)',
    { api: 'readUncachedApiUs', postgres: 'readUncachedPostgresUs' },
    null,
  ],
  ['`createSwap`', { api: 'swapApiUs', postgres: 'swapPostgresUs' }, null],
  [
    'submission, until its events are published',
    {
      api: 'submissionApiUs',
      worker: 'submissionWorkerUs',
      relay: 'submissionRelayUs',
      postgres: 'submissionPostgresUs',
      nats: 'submissionNatsUs',
    },
    'submissionWalBytes',
  ],
  [
    'trade from a feed',
    { api: 'tradeFollowApiUs', worker: 'tradeWorkerUs', postgres: 'tradePostgresUs', nats: 'tradeNatsUs' },
    'tradeWalBytes',
  ],
  ['trade that the worker reads from a node', { worker: 'tradeReadWorkerUs' }, null],
  [
    'webhook',
    {
      worker: 'deliveryWorkerUs',
      relay: 'deliveryRelayUs',
      postgres: 'deliveryPostgresUs',
      nats: 'deliveryNatsUs',
    },
    'deliveryWalBytes',
  ],
  ['message to one stream', { api: 'streamMessageApiUs' }, null],
];

/** Microseconds of CPU of one item, by process. */
function costTable(costs: Costs): string {
  const places = ['api', 'worker', 'relay', 'postgres', 'nats'] as const;
  return markdown(
    ['µs of CPU', 'each api', 'worker', 'relay', 'Postgres', 'NATS', 'WAL'],
    costRows.map(([meaning, names, wal]) => [
      meaning,
      ...places.map((place) => {
        const name = names[place];
        return name === undefined ? '' : rough(costs[name]);
      }),
      wal === null ? '' : roughBytes(costs[wal]),
    ]),
  );
}

export function costSource({ machine, load }: CostFile): string {
  const { cpu, cores, commit, date, loadBefore } = machine;
  return `Measured at commit \`${commit}\` on ${date.slice(0, 10)}: ${cpu}, ${cores} cores, Bun ${machine.bun}; load ${loadBefore.toFixed(1)} before and ${load.after.toFixed(1)} after, ${load.busyCores.toFixed(1)} cores busy.`;
}

const FACTORS = [1, 10, 100] as const;

/** The generated parts of docs/scaling.md, by the name of their place in it. */
export function generatedTables(file: CostFile): Readonly<Record<string, string>> {
  const columns = FACTORS.map((factor) =>
    columnOf(`${factor}×`, times(baseline, factor), file.costs, assumptions),
  );
  return {
    workload: workloadTable(columns),
    saturation: saturationTable(columns),
    demand: demandTable(columns),
    costs: `${costTable(file.costs)}\n\n${costSource(file)}`,
  };
}

const PLACE = /(<!-- capacity: ([a-z]+) -->\n)(?:[\s\S]*?\n)??(<!-- end -->)/g;

/** The page with its generated parts replaced. Throws for a place that nothing fills. */
export function fillTables(page: string, tables: Readonly<Record<string, string>>): string {
  return page.replaceAll(PLACE, (_, begin: string, name: string, end: string) => {
    const table = tables[name];
    if (table === undefined) throw new Error(`nothing fills "${name}"`);
    return `${begin}\n${table}\n\n${end}`;
  });
}

const SIGNIFICANT_DIGITS = 2;

/** An amount with two significant digits, as the costs are not more exact. */
export function rough(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  const rounded = Number(value.toPrecision(SIGNIFICANT_DIGITS));
  return rounded.toLocaleString('en', { maximumFractionDigits: Math.abs(rounded) < 1 ? 2 : 1 });
}

const STEPS = [
  [1e15, 'PB'],
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'KB'],
] as const;

/** Bytes in the unit that leaves the fewest digits. */
export function roughBytes(bytes: number): string {
  const [size, unit] = STEPS.find(([step]) => bytes >= step) ?? [1, 'bytes'];
  return `${rough(bytes / size)} ${unit}`;
}
