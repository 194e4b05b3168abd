import type { CostFile, Costs } from './cost-figures.ts';
import type { Plan } from './plan.ts';
import type { Prices } from './prices.ts';
import { rough, roughBytes } from './rough.ts';
import type { Workload } from './workload.ts';

/** A scale of the page: the baseline so many times. */
export interface Scale {
  title: string;
  plan: Plan;
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

export function workloadTable(scales: readonly Scale[]): string {
  return markdown(
    ['', ...scales.map(({ title }) => title)],
    workloadRows.map(([key, meaning]) => [meaning, ...scales.map(({ plan }) => rough(plan.workload[key]))]),
  );
}

/** The three resources of the smallest deployment that are used up first. */
export function saturationTable(scales: readonly Scale[]): string {
  const rows = scales.map(({ title, plan }) => [
    title,
    ...plan.loads.slice(0, 3).map(({ resource, share }) => `${resource}, ${rough(share)} times`),
  ]);
  return markdown(['', 'first', 'second', 'third'], rows);
}

export function demandTable(scales: readonly Scale[]): string {
  const rows: readonly (readonly [string, (plan: Plan) => string])[] = [
    ['api, cores', ({ demand }) => rough(demand.api.cores)],
    [
      'share of each api process that follows the log of trades',
      ({ demand }) => rough(demand.api.followShare),
    ],
    ['reads that query Postgres, a second', ({ demand }) => rough(demand.reloads)],
    ['messages to streams, a second', ({ demand }) => rough(demand.messages)],
    ['reading pools from nodes, cores', ({ demand }) => rough(demand.chainReader.cores)],
    ['confirming, cores', ({ demand }) => rough(demand.confirmer.cores)],
    ['other work of workers, cores', ({ demand }) => rough(demand.worker.cores)],
    ['relay, cores', ({ demand }) => rough(demand.relay.cores)],
    ['Postgres, cores', ({ demand }) => rough(demand.postgres.cores)],
    ['Postgres, WAL a second', ({ demand }) => roughBytes(demand.postgres.walBytes)],
    ['Postgres, growth a day', ({ demand }) => roughBytes(demand.postgres.bytesPerDay)],
    ['Postgres, disk with retention', ({ demand }) => roughBytes(demand.postgres.diskBytes)],
    ['NATS, cores', ({ demand }) => rough(demand.nats.cores)],
    ['calls of nodes, a second', ({ demand }) => rough(demand.nodeCalls)],
    ['network, a second', ({ demand }) => roughBytes(demand.networkBytes)],
  ];
  return markdown(
    ['', ...scales.map(({ title }) => title)],
    rows.map(([meaning, of]) => [meaning, ...scales.map(({ plan }) => of(plan))]),
  );
}

export function deploymentTable(scales: readonly Scale[], { currency }: Prices): string {
  const machines = ({ machines: groups }: Plan) =>
    groups
      .map(({ role, count, cores }) => `${count.toLocaleString('en')} × ${cores} cores: ${role}`)
      .join('; ');
  return markdown(
    ['', 'deployments', 'api', 'worker', 'relay', 'machines', 'nodes', `${currency} a month`],
    scales.map(({ title, plan }) => [
      title,
      rough(plan.cells),
      rough(plan.processes.api),
      rough(plan.processes.worker),
      rough(plan.processes.relay),
      `${machines(plan)}${plan.hasPooler ? '; PgBouncer' : ''}`,
      rough(plan.nodes),
      rough(plan.costPerMonth),
    ]),
  );
}

/** The parts of the design that are used up at each scale. */
export function exhaustedTable(scales: readonly Scale[]): string {
  const rows = scales.flatMap(({ title, plan }) =>
    plan.exhausted.map(({ part, times, instead }) => [
      title,
      part,
      Number.isFinite(times) ? rough(times) : 'endless',
      instead,
    ]),
  );
  return rows.length === 0
    ? 'No part of the design is used up.'
    : markdown(['', 'part', 'times its limit', 'instead'], rows);
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
export function costTable(costs: Costs): string {
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

export function priceLine({
  currency,
  perCore,
  perGbMemory,
  perTbDisk,
  perTbTraffic,
  perNode,
}: Prices): string {
  return `Prices for a month in ${currency}: core ${perCore}, GB of memory ${perGbMemory}, TB of disk ${perTbDisk}, TB sent ${perTbTraffic}, node with 1,000 calls a second ${perNode.toLocaleString('en')}.`;
}
