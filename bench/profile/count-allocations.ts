// Loaded before the entry of a process under `bench:profile --allocations`. The process collects nothing, so what lives
// at its end is everything that it has allocated: its end writes how many objects of each type were added.
import { heapStats } from 'bun:jsc';
import { writeFileSync } from 'node:fs';

/** A process allocates more while it starts than for thousands of requests. */
const START_MS = 1_000;

let atStart: Record<string, number> = {};
setTimeout(() => {
  atStart = heapStats().objectTypeCounts;
}, START_MS).unref();

process.on('exit', () => {
  const file = process.env.BENCH_ALLOCATIONS_FILE;
  if (file === undefined) return;
  const atEnd = Object.entries(heapStats().objectTypeCounts);
  const added = atEnd.map(([type, count]) => [type, count - (atStart[type] ?? 0)] as const);
  writeFileSync(file, JSON.stringify(Object.fromEntries(added.filter(([, count]) => count > 0))));
});
