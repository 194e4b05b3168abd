import { elapsed, type Log } from '../services/log.ts';

/** A line that ends with a duration is a finished step. */
const WITH_DURATION = /\(\d+(\.\d+)? m?s\)$/;

/** Shows a line for every finished step of the launcher and, on a terminal, its running steps. */
export class Progress {
  readonly #running = new Set<string>();
  readonly #print: (line: string) => void;
  readonly #isTerminal: boolean;

  /** @param print gets each line; by default lines go to the standard output */
  constructor(print?: (line: string) => void) {
    this.#print = print ?? console.log;
    this.#isTerminal = print === undefined && process.stdout.isTTY === true;
  }

  /** Runs `work` and shows its lines, and a line with its duration unless it wrote one itself. */
  async step<Result>(name: string, work: (log: Log) => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    let hasFinishedLine = false;
    this.#running.add(name);
    this.#refresh();
    try {
      const result = await work((line) => {
        const isFinished = WITH_DURATION.test(line);
        hasFinishedLine ||= isFinished;
        this.line(`${isFinished ? '✓' : '·'} ${line}`);
      });
      this.#running.delete(name);
      if (!hasFinishedLine) this.line(`✓ ${name} (${elapsed(startedAt)})`);
      return result;
    } finally {
      this.#running.delete(name);
      this.#refresh();
    }
  }

  line(text: string): void {
    this.#clear();
    this.#print(text);
    this.#refresh();
  }

  /** A problem that the launcher is already handling. */
  warn(text: string): void {
    this.line(`! ${text}`);
  }

  #refresh(): void {
    if (!this.#isTerminal) return;
    this.#clear();
    if (this.#running.size > 0) process.stdout.write(`… ${[...this.#running].join(', ')}`);
  }

  #clear(): void {
    if (this.#isTerminal) process.stdout.write('\r\x1b[2K');
  }
}
