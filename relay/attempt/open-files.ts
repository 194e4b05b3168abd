import { readFileSync } from 'node:fs';

/** Of 9 KB each without TLS and 18 KB with it (measured), so 220 MB at most; beyond it a delivery to one endpoint after the other finds no connection. */
const IDLE_MAX = 12_288;
const IDLE_MIN = 2_048;
/** For attempts in flight, each of which may connect to three addresses, the database, the broker and the rest. */
const OTHER_FILES = 8_192;

/** How many connections may wait for another attempt: as many as this process may have open files beside the others. */
export function idleConnectionsMax(openFiles = openFilesMax()): number {
  return Math.max(IDLE_MIN, Math.min(IDLE_MAX, openFiles - OTHER_FILES));
}

/** The soft limit of this process; 0 where the system does not say. */
function openFilesMax(): number {
  try {
    const [, soft = '0'] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    // Only Linux has it.
    return 0;
  }
}
