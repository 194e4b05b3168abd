import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Starts to measure how many cores of the machine are busy. The returned function gives the mean since then. */
export function busyCores(): () => number {
  const before = times();
  return () => {
    const { idle, all } = times();
    return cpus().length * (1 - (idle - before.idle) / (all - before.all));
  };
}

/** Ticks of all cores since the machine's start, from /proc. */
function times(): { idle: number; all: number } {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal; those of guests are contained in user.
  const ticks = first.split(/\s+/).slice(1, 9).map(Number);
  const [, , , idle = 0, waiting = 0] = ticks;
  return { idle: idle + waiting, all: ticks.reduce((sum, count) => sum + count, 0) };
}
