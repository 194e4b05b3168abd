import * as bunTest from 'bun:test';
import { afterAll, mock } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which each test process has a file, named by its pid, that says where it is. */
export const PROGRESS_FOLDER = 'LAUNCHWIRE_TEST_PROGRESS';

/** The last sign of life of a test process. */
export interface Progress {
  readonly file: string;
  /** What it has begun: a test with its hooks, or `null` for the file itself. */
  readonly test: string | null;
  /** Tells a second run of the same test from the first. */
  readonly beginning: number;
}

type Callable = (...args: never[]) => unknown;

/**
 * Writes down, from now to the end of the file, which test has begun. A process that spins runs neither timers nor messages,
 * so only another process can end it, and only what is written by then says where it was. bun 1.4.4 tells a hook no
 * name, hence the tests are registered through a proxy. Each write takes 15 µs.
 */
export function reportProgress(folder: string, file: string): void {
  const place = join(folder, String(process.pid));
  let beginning = 0;
  const begin = (test: string | null) => {
    beginning += 1;
    const progress: Progress = { file, test, beginning };
    writeFileSync(place, JSON.stringify(progress));
  };
  begin(null);
  const observe = (register: Callable) => observed(register, begin);
  mock.module('bun:test', () => ({ ...bunTest, test: observe(bunTest.test), it: observe(bunTest.it) }));
  // Between two files a process has nothing to do, however long that lasts.
  afterAll(() => rmSync(place));
}

/** `test` and all that it gives, such as `test.each(rows)`, whose tests call `begin` with their name when they run. */
function observed(register: Callable, begin: (test: string) => void): Callable {
  return new Proxy(register, {
    apply(target, self, [name, ...rest]) {
      const options = rest.map((one) =>
        typeof one === 'function' ? announced(String(name), one, begin) : one,
      );
      const result: unknown = Reflect.apply(target, self, [name, ...options]);
      return typeof result === 'function' ? observed(result as Callable, begin) : result;
    },
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? observed(value.bind(target) as Callable, begin) : value;
    },
  });
}

function announced(name: string, body: Callable, begin: (test: string) => void): Callable {
  let calls = 0;
  const run = function (this: unknown, ...args: never[]) {
    calls += 1;
    // A row of `test.each` has no other name before it has ended.
    begin(args.length === 0 ? name : `${name} (row ${calls})`);
    return body.apply(this, args);
  };
  // bun passes a callback to a test that takes more arguments than its row has.
  return Object.defineProperty(run, 'length', { value: body.length });
}
