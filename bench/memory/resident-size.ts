import { readFileSync } from 'node:fs';

/** Resident memory of a process in MB, from /proc: now, and at its highest so far. */
export function residentMb(pid: number): { nowMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { nowMb: field(status, 'VmRSS', pid), peakMb: field(status, 'VmHWM', pid) };
}

const MB_PER_KIB = 1_024 / 1e6;

function field(status: string, name: string, pid: number): number {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kib === undefined) throw new Error(`process ${pid} reports no ${name}`);
  return Number(kib) * MB_PER_KIB;
}
