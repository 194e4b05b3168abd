import type { Machine } from '../../bench/measurement/machine.ts';
import type { Phase } from './phases.ts';

/** When a fault was, in ticks of the recording. */
export interface PhaseInTime {
  readonly phase: Phase;
  readonly from: number;
  readonly until: number;
}

export interface AlertOutcome {
  readonly alert: string;
  readonly fault: string;
  /** The first tick at which it fires; undefined when it never does. */
  readonly firstMinute: number | undefined;
  readonly firingMinutes: number;
  readonly isGood: boolean;
  readonly verdict: string;
}

/** The record of each alert. It has to fire after the beginning of its fault, and not before the first fault. */
export function outcomesOf(
  alerts: readonly string[],
  firing: ReadonlyMap<string, readonly number[]>,
  times: readonly PhaseInTime[],
): AlertOutcome[] {
  const firstFault = Math.min(...times.map(({ from }) => from));
  return alerts.map((alert) => {
    const minutes = firing.get(alert) ?? [];
    const time = times.find(({ phase }) => phase.alerts.includes(alert));
    const firstMinute = minutes.find((minute) => time !== undefined && minute >= time.from);
    const isEarly = minutes.some((minute) => minute < firstFault);
    const verdict =
      firstMinute === undefined
        ? 'did not fire'
        : isEarly
          ? 'fired before any fault'
          : `fired after ${firstMinute - (time?.from ?? 0)} minutes of its fault`;
    return {
      alert,
      fault: time?.phase.name ?? 'none',
      firstMinute,
      firingMinutes: minutes.length,
      isGood: firstMinute !== undefined && !isEarly,
      verdict,
    };
  });
}

export interface AlertsFacts {
  readonly machine: Machine;
  readonly clients: number;
  readonly times: readonly PhaseInTime[];
  readonly outcomes: readonly AlertOutcome[];
  readonly ticks: number;
}

/** The page of one run. */
export function alertsReport({ machine, clients, times, outcomes, ticks }: AlertsFacts): string {
  return [
    '# Alerts of the objectives, fired by faults',
    '',
    outcomes.every(({ isGood }) => isGood)
      ? 'Every alert fired in its fault, and none before the first one.'
      : 'Not every alert did what it should.',
    '',
    `- repeat it: \`npm run faults:alerts -- --clients ${clients}\``,
    `- commit ${machine.commit}, ${machine.cpu}, ${machine.cores} cores, load ${machine.loadBefore.toFixed(1)}`,
    `- ${ticks} s were recorded, and are ${ticks} minutes for the rules`,
    '',
    '| from | to | fault |',
    '|---|---|---|',
    ...times.map(({ phase, from, until }) => `| ${from} | ${until} | ${phase.name} |`),
    '',
    '| alert | fault | fires at | for minutes | |',
    '|---|---|---|---|---|',
    ...outcomes.map(
      ({ alert, fault, firstMinute, firingMinutes, verdict }) =>
        `| \`${alert}\` | ${fault} | ${firstMinute ?? ''} | ${firingMinutes} | ${verdict} |`,
    ),
    '',
  ].join('\n');
}
