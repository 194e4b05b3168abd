import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from '../../bench/measurement/machine.ts';
import type { Histories } from '../evidence/histories.ts';
import type { WalkResult } from '../walk.ts';

/** Writes the report of a walk as a page. Returns its path. */
export async function writeWalkReport(
  folder: string,
  facts: ReportFacts,
  result: WalkResult,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${facts.against}-seed-${facts.seed}-${facts.machine.commit}.md`);
  await writeFile(file, reportText(facts, result));
  return file;
}

/** Keeps what an investigation needs: the logs of all processes, and the evidence. Returns the folder. */
export async function keepLogs(logFolder: string, below: string, result: WalkResult): Promise<string> {
  const folder = join(below, new Date().toISOString().replaceAll(/[:.]/g, ''));
  await mkdir(folder, { recursive: true });
  await cp(logFolder, join(folder, 'logs'), { recursive: true });
  await writeFile(join(folder, 'evidence.json'), JSON.stringify(result, serialisable, 1));
  return folder;
}

/** Values that JSON does not have, as ones that it has. */
function serialisable(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof RegExp) return String(value);
  return value instanceof Set ? [...value] : value;
}

interface ReportFacts {
  readonly seed: number;
  readonly minutes: number;
  readonly bots: number;
  readonly readers: number;
  readonly receivers: number;
  readonly against: 'single' | 'cluster';
  /** The command that repeats it. */
  readonly command: string;
  readonly machine: Machine;
}

/** The page of one walk: what was done to whom and when, what each client saw, and the verdict. */
function reportText(facts: ReportFacts, result: WalkResult): string {
  const { verdicts } = result;
  const brokenRules = verdicts.filter(({ broken }) => broken.length > 0).length;
  return [
    `# Walk of seed ${facts.seed} against the ${facts.against === 'single' ? 'single machine' : 'cluster'}`,
    '',
    brokenRules === 0 ? 'Every rule held.' : `${brokenRules} rules were broken.`,
    '',
    ...runLines(facts, result),
    '',
    '## Verdict',
    '',
    '| rule | |',
    '|---|---|',
    ...verdicts.map(
      ({ rule, broken }) =>
        `| ${rule} | ${broken.length === 0 ? 'holds' : `broken ${broken.length} times`} |`,
    ),
    ...verdicts.flatMap(({ rule, broken }) =>
      broken.length === 0
        ? []
        : ['', `### ${rule}`, '', ...broken.slice(0, 20).map((sentence) => `- ${sentence}`)],
    ),
    '',
    '## What the clients saw',
    '',
    ...clientLines(result.evidence.histories),
    '',
    '## The faults in time',
    '',
    '| from | to | fault | of | |',
    '|---|---|---|---|---|',
    ...result.faults.map(
      ({ fromMs, untilMs, kind, target, detail, failure }) =>
        `| ${seconds(fromMs)} | ${seconds(untilMs)} | ${kind} | ${target} | ${detail}${failure === null ? '' : ` (not done: ${failure})`} |`,
    ),
    '',
  ].join('\n');
}

function runLines(
  { machine, minutes, command }: ReportFacts,
  { restSeconds, unexpectedExits, faults }: WalkResult,
): string[] {
  const notDone = faults.filter(({ failure }) => failure !== null).length;
  const exits = Object.entries(unexpectedExits).filter(([, count]) => count > 0);
  return [
    '| | |',
    '|---|---|',
    `| commit | ${machine.commit} |`,
    `| date | ${machine.date} |`,
    `| machine | ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB; load ${machine.loadBefore.toFixed(1)} at the start |`,
    `| versions | Bun ${machine.bun}, Postgres ${machine.postgres} |`,
    `| faults | ${faults.length} in ${minutes} minutes${notDone === 0 ? '' : `, ${notDone} not done`} |`,
    `| at rest | ${restSeconds.toFixed(1)} s after the clients had finished |`,
    `| exits that no fault caused | ${exits.length === 0 ? 'none' : exits.map(([name, count]) => `${name} ${count}`).join(', ')} |`,
    `| repeat it | \`${command}\` |`,
  ];
}

function clientLines({ orders, readers, receivers, requests, fedTrades }: Histories): string[] {
  const bots = Map.groupBy(orders, ({ bot }) => bot);
  const answered = Map.groupBy(requests, ({ status, code }) =>
    status === null ? 'no answer' : `${status} ${code ?? ''}`.trim(),
  );
  return [
    '| bot | orders | calls | confirmed | ended without a swap | refused | outcome unknown at first |',
    '|---|---|---|---|---|---|---|',
    ...[...bots].map(([name, own]) => {
      const calls = own.flatMap((order) => order.calls);
      const count = (outcome: string) => calls.filter((call) => call.outcome === outcome).length;
      return `| ${name} | ${own.length} | ${calls.length} | ${count('confirmed')} | ${count('ended')} | ${count('refused')} | ${count('unknown')} |`;
    }),
    '',
    '| reader | messages | connections | gaps |',
    '|---|---|---|---|',
    ...readers.map(
      ({ name, messages, connections, gaps }) =>
        `| ${name} | ${messages.length} | ${connections} | ${gaps} |`,
    ),
    '',
    '| receiver | events | repeated | refused on purpose | not verified |',
    '|---|---|---|---|---|',
    ...receivers.map(({ name, accepted, refusedOnPurpose, unverified }) => {
      const repeated = [...accepted.values()].reduce((sum, times) => sum + times - 1, 0);
      return `| ${name} | ${accepted.size} | ${repeated} | ${refusedOnPurpose} | ${unverified.length} |`;
    }),
    '',
    `The feed reported ${fedTrades.length} trades. ${requests.length} requests were answered:`,
    '',
    '| answer | times |',
    '|---|---|',
    ...[...answered]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([answer, all]) => `| ${answer} | ${all.length} |`),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
