import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '../run/temp-dir.ts';

/** The clock of a simulated machine on which processes of the service run. A test may have several. */
export interface MachineClock {
  /** For processes that run on this machine. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the clock this far ahead of the real one, also for these running processes. */
  set(aheadMs: number, ...running: readonly { pid: number }[]): void;
}

export function createMachineClock(aheadMs = 0): MachineClock {
  const file = join(createTempDir('machine-clock'), 'ahead-ms');
  writeFileSync(file, String(aheadMs));
  const preload = new URL('shifted-date.ts', import.meta.url).pathname;
  return {
    environment: { BUN_OPTIONS: `--preload=${preload}`, TEST_MACHINE_CLOCK: file },
    set(nextMs, ...running) {
      writeFileSync(file, String(nextMs));
      for (const { pid } of running) process.kill(pid, 'SIGUSR2');
    },
  };
}
