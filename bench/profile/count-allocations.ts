// Loaded before the entry of a process that collects nothing (BUN_JSC_useGC=0), so that its heap holds everything that it
// has allocated. Writes how many objects of each type were added since the last time: on SIGUSR2, and at the end.
import { heapStats } from 'bun:jsc';
import { renameSync, writeFileSync } from 'node:fs';

/** A process allocates more while it starts than for thousands of requests. */
const START_MS = 1_000;

let counted: Record<string, number> = {};
const started = setTimeout(() => {
  counted = heapStats().objectTypeCounts;
}, START_MS);
started.unref();

process.on('SIGUSR2', writeAdded);
process.on('exit', writeAdded);

function writeAdded(): void {
  const file = process.env.BENCH_ALLOCATIONS_FILE;
  if (file === undefined) return;
  clearTimeout(started);
  const now = heapStats().objectTypeCounts;
  const added = Object.entries(now).map(([type, count]) => [type, count - (counted[type] ?? 0)] as const);
  counted = now;
  // Renamed, so that a reader sees all of it or nothing.
  writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(added.filter(([, count]) => count > 0))));
  renameSync(`${file}.new`, file);
}
