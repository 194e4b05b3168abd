import type { FileCost } from './file-cost.ts';
import type { Wait } from './waits.ts';

const SHOWN = 20;

/** The costs of a run by file, with the sum of a file's reruns. */
export function readCosts(lines: string): FileCost[] {
  const costs = new Map<string, FileCost>();
  for (const line of lines.split('\n').filter(Boolean)) {
    const cost = JSON.parse(line) as FileCost;
    const known = costs.get(cost.file);
    costs.set(cost.file, known === undefined ? cost : added(known, cost));
  }
  return [...costs.values()];
}

function added(known: FileCost, cost: FileCost): FileCost {
  const waits = new Map<string, Wait>();
  for (const { what, times, durationMs } of [...known.waits, ...cost.waits]) {
    const sum = waits.get(what) ?? { times: 0, durationMs: 0 };
    waits.set(what, { what, times: sum.times + times, durationMs: sum.durationMs + durationMs });
  }
  return {
    file: cost.file,
    wallMs: known.wallMs + cost.wallMs,
    ownCpuMs: known.ownCpuMs + cost.ownCpuMs,
    childCpuMs: known.childCpuMs + cost.childCpuMs,
    waits: [...waits.values()].sort((a, b) => b.durationMs - a.durationMs),
  };
}

/**
 * Lines about the slowest files and about the whole run.
 * @param serverCpuMs CPU time of the shared servers
 */
export function describeCosts(costs: readonly FileCost[], serverCpuMs: number): string[] {
  const slowest = [...costs].sort((a, b) => b.wallMs - a.wallMs).slice(0, SHOWN);
  return [
    `The slowest ${slowest.length} of ${costs.length} files: all of their time, CPU, the time they waited, and their longest waits`,
    ...slowest.flatMap((cost) => [describeFile(cost), ...cost.waits.map(describeWait)]),
    `All files: ${describeSum(costs)}, and ${seconds(serverCpuMs)} CPU of the servers that they share`,
  ];
}

function describeFile(cost: FileCost): string {
  const cpuMs = cost.ownCpuMs + cost.childCpuMs;
  const columns = [cost.wallMs, cpuMs, Math.max(0, cost.wallMs - cpuMs)].map((ms) => seconds(ms).padStart(8));
  return `${columns.join('')}  ${cost.file}`;
}

function describeWait({ what, times, durationMs }: Wait): string {
  const often = times > 1 ? ` (${times} times)` : '';
  return `${' '.repeat(24)}${seconds(durationMs).padStart(8)}  ${what}${often}`;
}

function describeSum(costs: readonly FileCost[]): string {
  const sum = (of: (cost: FileCost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
  const wallMs = sum((cost) => cost.wallMs);
  const ownMs = sum((cost) => cost.ownCpuMs);
  const childMs = sum((cost) => cost.childCpuMs);
  return `${seconds(wallMs)}, of it ${seconds(ownMs)} CPU of their own, and ${seconds(childMs)} of processes that they started`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
