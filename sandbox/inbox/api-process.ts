import { wait } from '../../src/shared/loop.ts';
import { readState } from '../shared/state-file.ts';

/** What the inbox prints to ask its launcher for the end of the api. */
export const KILL_API_LINE = '{"kill":"api"}';

/** The api that runs beside this process, under the same launcher. */
export interface ApiProcess {
  /** Whether the launcher of this process started it, and starts it again. */
  isSupervised(): boolean;
  /**
   * Ends it as `kill -9` does, and resolves when it serves again. Null if there is none to end, or when `signal`
   * aborts.
   */
  kill(signal: AbortSignal): Promise<Restart | null>;
}

export interface Restart {
  readonly restartedAfterMs: number;
}

const PAUSE_MS = 50;

/**
 * The launcher writes the state file: with the pid of the api while that serves. Only the launcher signals its
 * children.
 */
export class SandboxApi implements ApiProcess {
  readonly #stateFile: string;
  readonly #askLauncher: (line: string) => void;

  constructor(stateFile: string, askLauncher: (line: string) => void = console.log) {
    this.#stateFile = stateFile;
    this.#askLauncher = askLauncher;
  }

  isSupervised(): boolean {
    return this.#pid() !== undefined;
  }

  async kill(signal: AbortSignal): Promise<Restart | null> {
    const before = this.#pid();
    if (before === undefined) return null;
    const startedAt = performance.now();
    this.#askLauncher(KILL_API_LINE);
    for (;;) {
      await wait(PAUSE_MS, signal);
      if (signal.aborted) return null;
      const now = this.#pid();
      if (now !== undefined && now !== before)
        return { restartedAfterMs: Math.round(performance.now() - startedAt) };
    }
  }

  /** Undefined while it does not run, and for the api of another launcher. */
  #pid(): number | undefined {
    const { launcher, api } = readState(this.#stateFile)?.pids ?? {};
    return launcher === process.ppid ? api : undefined;
  }
}
