// npm run faults:alerts: records the metrics of the product while one fault after another is active, and lets the rules
// of ops/prometheus judge them. Exit code 1 when an alert of an objective did not fire in its fault, or fired before any.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describeMachine } from '../../bench/measurement/machine.ts';
import { readArguments, refuseArguments } from '../../bench/read-arguments.ts';
import { runStoppable } from '../../bench/run-stoppable.ts';
import { runCommand } from '../../sandbox/services/command.ts';
import { debianExecutable } from '../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../sandbox/services/executable.ts';
import { PROJECT_ROOT } from '../../sandbox/shared/sandbox-folder.ts';
import { connectDatabase } from '../../src/db/client.ts';
import { wait } from '../../src/shared/loop.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { startSingleMachine } from '../deployment/single-machine.ts';
import { phases, QUIET_SECONDS } from './phases.ts';
import { Recording, recordMetrics } from './record-metrics.ts';
import { type AlertOutcome, alertsReport, outcomesOf, type PhaseInTime } from './report.ts';
import { firingMinutes, ruleTestText } from './rule-test.ts';
import { RULES_FILE, readSloAlerts } from './slo-alerts.ts';
import { startTraffic } from './traffic.ts';

const USAGE = `npm run faults:alerts -- [options]
  --clients 8           clients that submit once a second
  --report docs/proof   writes the report into this folder
  --recording FILE      writes the recording as a test for promtool`;

const { values, positionals } = readArguments(USAGE, {
  clients: { type: 'string', default: '8' },
  report: { type: 'string' },
  recording: { type: 'string' },
});
const clients = Number(values.clients);
if (positionals.length > 0 || !Number.isSafeInteger(clients) || clients < 1)
  refuseArguments('--clients is a number above 0, and nothing else is expected', USAGE);

await runStoppable(async (signal) => {
  const startedAt = performance.now();
  const log = (line: string) =>
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${line}`);
  const promtool = findExecutable('promtool') ?? (await debianExecutable('promtool', ['prometheus'], log));
  if (promtool === undefined)
    throw new Error('promtool is missing: install it (Debian: apt-get install prometheus).');
  const machine = await describeMachine();
  const { names, selectors } = await readSloAlerts();
  const recording = new Recording();
  const deployment = await startSingleMachine({ tree: PROJECT_ROOT, signal });
  let times: PhaseInTime[];
  try {
    times = await record(deployment, recording, selectors, signal, log);
  } finally {
    await deployment.close();
  }
  signal.throwIfAborted();
  const test = { name: 'recorded faults', series: recording.series, minutes: recording.ticks };
  const everyMinute = names.flatMap((alert) =>
    Array.from({ length: recording.ticks }, (_, minute) => ({ alert, minute })),
  );
  log(
    `promtool evaluates ${names.length} alerts at ${recording.ticks} moments of ${recording.series.size} series`,
  );
  const firing = firingMinutes(
    await judge(
      promtool,
      // Wrong on purpose, so that promtool prints the value of each.
      ruleTestText({ ...test, expectations: everyMinute.map((one) => ({ ...one, value: -1 })) }),
    ),
    names,
  );
  const outcomes = outcomesOf(names, firing, times);
  for (const outcome of outcomes) log(`${outcome.alert}: ${outcome.verdict}`);
  const isGood = outcomes.every((outcome) => outcome.isGood);
  if (values.recording !== undefined) {
    const file = join(process.cwd(), values.recording);
    const rulesFile = relative(join(file, '..'), RULES_FILE);
    const comment = `Metrics of one run of npm run faults:alerts at ${machine.commit}, a second of it as a minute, for promtool test rules.`;
    await writeFile(
      file,
      ruleTestText({ ...test, expectations: expectationsOf(outcomes) }, { rulesFile, comment }),
    );
  }
  if (values.report !== undefined) {
    await mkdir(values.report, { recursive: true });
    const file = join(values.report, `alerts-${machine.commit}.md`);
    await writeFile(file, alertsReport({ machine, clients, times, outcomes, ticks: recording.ticks }));
    log(`report: ${file}`);
  }
  log(
    isGood
      ? 'every alert of an objective fired in its fault, and none before'
      : 'an alert did not do what it should',
  );
  return isGood ? 0 : 1;
});

/** Clients submit all the time; the faults come one after the other. Returns when each was, in ticks. */
async function record(
  deployment: Deployment,
  recording: Recording,
  selectors: Parameters<typeof recordMetrics>[2],
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<PhaseInTime[]> {
  const sql = connectDatabase(deployment.direct.databaseUrl, { applicationName: 'faults', connections: 1 });
  const traffic = await startTraffic(deployment, sql, clients, signal).finally(() => sql.end({ timeout: 1 }));
  const ending = new AbortController();
  const until = AbortSignal.any([signal, ending.signal]);
  const working = Promise.all([
    traffic.run(until),
    recordMetrics(recording, deployment.metrics, selectors, until),
  ]);
  working.catch(() => ending.abort());
  const times: PhaseInTime[] = [];
  try {
    log(`clients submit; ${QUIET_SECONDS} s without a fault`);
    await wait(QUIET_SECONDS * 1_000, until);
    for (const phase of phases) {
      if (until.aborted) break;
      const from = recording.ticks;
      log(`${phase.name} for ${phase.seconds} s`);
      const mend = await phase.begin(deployment);
      await wait(phase.seconds * 1_000, until);
      await mend();
      times.push({ phase, from, until: recording.ticks });
      await wait(phase.restSeconds * 1_000, until);
    }
  } finally {
    ending.abort();
    await working.finally(() => traffic.close());
  }
  return times;
}

async function judge(promtool: string, text: string): Promise<string> {
  const file = join(PROJECT_ROOT, '.sandbox', `alerts-${process.pid}.test.yml`);
  await writeFile(file, text);
  try {
    return (await runCommand(promtool, ['test', 'rules', file])).output;
  } finally {
    await Bun.file(file).delete();
  }
}

function expectationsOf(outcomes: readonly AlertOutcome[]) {
  return outcomes.flatMap(({ alert, firstMinute }) => [
    { alert, minute: QUIET_SECONDS - 1, value: 0 },
    ...(firstMinute === undefined ? [] : [{ alert, minute: firstMinute, value: 1 }]),
  ]);
}
