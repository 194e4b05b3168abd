import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '../run/temp-dir.ts';

/** The clock of a machine on which processes of the service run, of which each test has as many as it likes. */
export interface MachineClock {
  /** For processes that run on this machine. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the clock this far ahead of the real one, under these processes too. */
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
