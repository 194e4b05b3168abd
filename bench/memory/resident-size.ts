import { readFileSync } from 'node:fs';

/** Resident memory of a process in MiB, from /proc. */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kib === undefined) throw new Error(`process ${pid} tells no VmRSS`);
  return Number(kib) / 1024;
}
