import { join } from 'node:path';
import { PROJECT_ROOT } from '../../sandbox/shared/sandbox-folder.ts';

/**
 * Variables with which a process of the product reads a clock of its own: the true one, moved by the milliseconds in
 * the file. It reads the file at its start and at SIGUSR2. Steady clocks and timers do not move, as on a machine whose
 * clock somebody sets.
 */
export function clockVariables(file: string): Record<string, string> {
  const preload = join(PROJECT_ROOT, 'test/support/processes/shifted-date.ts');
  return { BUN_OPTIONS: `--preload=${preload}`, TEST_MACHINE_CLOCK: file };
}
