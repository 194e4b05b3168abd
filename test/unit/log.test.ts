import { describe, expect, test } from 'bun:test';
import { type LogSink, LogWriter } from '../../src/shared/log-writer.ts';
import { censorFields } from '../../src/shared/redact.ts';
import { eventually } from '../support/run/eventually.ts';
import { bareEnvironment } from '../support/run/runtime-variables.ts';

const root = new URL('../../', import.meta.url).pathname;

/** Runs a script that has a logger `log`, and returns its lines. */
async function logged(script: string, exitCode = 0): Promise<Record<string, unknown>[]> {
  const prelude = `const { createLogger } = await import('./src/shared/log.ts'); const log = createLogger('test', 'info');`;
  const child = Bun.spawn([process.execPath, '-e', `${prelude}\n${script}`], {
    cwd: root,
    env: bareEnvironment(),
    stderr: 'pipe',
  });
  const text = await new Response(child.stderr).text();
  expect(await child.exited).toBe(exitCode);
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

class RecordingSink implements LogSink {
  readonly writes: string[] = [];
  write(text: string): number {
    this.writes.push(text);
    return text.length;
  }
  flush(): number {
    return 0;
  }
}

describe('the writer of the log', () => {
  test('writes lines that follow each other at once, in their order', async () => {
    const sink = new RecordingSink();
    const writer = new LogWriter(sink);
    writer.write('one\n');
    writer.write('two\n');
    expect(sink.writes).toEqual([]);
    await eventually('the first write', async () => sink.writes.length === 1);
    writer.write('three\n');
    await eventually('the second write', async () => sink.writes.length === 2);
    expect(sink.writes).toEqual(['one\ntwo\n', 'three\n']);
  });

  test('does not collect more than one write, and drops no line of a reader that takes them', () => {
    const sink = new RecordingSink();
    const writer = new LogWriter(sink, 100_000);
    const line = `${'a'.repeat(999)}\n`;
    for (let at = 0; at < 1_000; at += 1) writer.write(line);
    expect(sink.writes.join('').length).toBeGreaterThan(900_000);
    writer.writeWaiting();
    expect(sink.writes.join('')).toBe(line.repeat(1_000));
    expect(writer.dropped).toBe(0);
  });

  test('writes what waits when it is flushed', async () => {
    const sink = new RecordingSink();
    const writer = new LogWriter(sink);
    writer.write('last\n');
    await writer.flush(1_000);
    expect(sink.writes).toEqual(['last\n']);
  });
});

test('a warning does not wait for further lines, even of a process that is killed', async () => {
  const script = `log.info('before'); log.warn('last'); log.info('lost'); process.kill(process.pid, 'SIGKILL');`;
  expect((await logged(script, 137)).map(({ msg }) => msg)).toEqual(['before', 'last']);
});

describe('a process that ends right after its last line has written it', () => {
  test.each([
    ['at its end', `log.info('last');`, 0],
    ['by its own decision', `log.info('last'); process.exit(3);`, 3],
    [
      'by an error that nothing catches',
      `setTimeout(() => { log.info('last'); throw new Error('x'); }, 5);`,
      1,
    ],
  ])('%s', async (_, script, exitCode) => {
    expect(await logged(script, exitCode)).toEqual([expect.objectContaining({ msg: 'last' })]);
  });
});

test('durations are written in whole milliseconds, and other numbers as they are', async () => {
  const script = `
    const fields = { pauseMs: 223.45538911828794, waitedMs: 1, dueMs: null, ratio: 0.5 };
    log.info(fields, 'line');
    process.exitCode = fields.pauseMs === 223 ? 1 : 0; // The object is the caller's.`;
  expect(await logged(script)).toEqual([
    expect.objectContaining({ pauseMs: 223, waitedMs: 1, dueMs: null, ratio: 0.5 }),
  ]);
});

describe('fields that are secrets by their name', () => {
  test('are censored at the top of a line and one object deep, also in those of a child', async () => {
    const [line, ofChild] = await logged(`
      log.info({ secret: 'one-1', request: { authorization: 'two-2', apiKey: { key: 'three-3' }, method: 'GET' } }, 'line');
      log.child({ apiKey: 'four-4' }).info({ cause: Object.assign(new Error('x'), { secret: 'five-5' }) }, 'child');`);
    const censored = '[redacted]';
    expect(line).toMatchObject({
      secret: censored,
      request: { authorization: censored, apiKey: censored, method: 'GET' },
    });
    expect(ofChild).toMatchObject({ apiKey: censored, cause: { secret: censored } });
  });

  test('a line without any is not copied', () => {
    const fields = { status: 200, timings: { queuedMs: 1 }, none: null, err: new Error('x') };
    expect(censorFields(fields)).toBe(fields);
  });
});
