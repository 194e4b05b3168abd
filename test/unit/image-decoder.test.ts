import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  areDecodersConfined,
  decoderLimits,
  runDecoder,
} from '../../src/features/images/decoding/run-decoder.ts';
import { typeOf, uploadedTypes } from '../../src/features/images/image-types.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const PROGRAM = fileURLToPath(new URL('../support/images/broken-decoder.ts', import.meta.url));
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The end of a decoder that behaves like this. */
function decode(behaviour: string, limits = {}) {
  const file = Buffer.concat([SIGNATURE, Buffer.from(`behaviour:${behaviour}`)]);
  return runDecoder(file, 'image/png', { ...decoderLimits, program: PROGRAM, ...limits });
}

/** Pids of the processes that a thread has started; none when the thread has just ended. */
function childrenOf(thread: string): string[] {
  try {
    return readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' ');
  } catch {
    return [];
  }
}

/** Whether a decoder that this process has started still runs; always false where the system does not show it. */
async function areDecodersRunning(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const children = readdirSync('/proc/self/task').flatMap(childrenOf);
  const commands = children.map((pid) =>
    Bun.file(`/proc/${pid}/cmdline`)
      .text()
      .catch(() => ''),
  );
  return (await Promise.all(commands)).some((command) => command.includes(PROGRAM));
}

const corrupt = { outcome: 'refused', reason: 'corrupt', died: true } as const;

describe('a decoder that', () => {
  test.each([
    ['crashes', corrupt],
    ['lies about the size', corrupt],
    ['gives no image', corrupt],
    ['gives a huge image', corrupt],
    ['speaks no JSON', corrupt],
    ['writes without an end', corrupt],
    ['writes too much and stays', corrupt],
    ['takes all memory', corrupt],
    ['is killed', { outcome: 'failed', reason: 'the decoder was killed' }],
    ['never starts', { outcome: 'failed', reason: 'the decoder did not start (it exited)' }],
  ] as const)('%s ends the upload alone', async (behaviour, end) => {
    expect(await decode(behaviour, { memoryKiB: 300_000 })).toEqual(end);
    await eventually('the decoder has ended', async () => !(await areDecodersRunning()));
  });

  test('spins is ended by the kernel, and the file is refused', async () => {
    expect(await decode('spins', { cpuSeconds: 1, wallMs: 60_000 })).toEqual({
      outcome: 'refused',
      reason: 'too_costly',
      died: true,
    });
  });

  test('waits is ended in time, and the file is not to blame', async () => {
    const end = await decode('waits', { wallMs: 1_000 });
    expect(end).toEqual({ outcome: 'failed', reason: 'the decoder did not end within 1000 ms' });
  });

  test('knows no variable of its parent', async () => {
    process.env.SECRET_OF_THE_API = 'x';
    expect(await decode('shows its variables')).toEqual(corrupt);
    delete process.env.SECRET_OF_THE_API;
  });
});

test.skipIf(process.platform !== 'linux')(
  'a decoder that is confined reaches no file, no program, no network and no other process, and works on',
  async () => {
    expect(await areDecodersConfined()).toBe(true);
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    atEnd(() => server.stop(true));
    const program = fileURLToPath(new URL('../support/images/confined-program.ts', import.meta.url));
    const file = join(createTempDir('confined'), 'file');
    const confined = Bun.spawn([process.execPath, program, String(server.port), file], { env: {} });
    expect(JSON.parse(await new Response(confined.stdout).text())).toEqual({
      'reads the environment of its parent': false,
      'reads a file': false,
      'writes a file': false,
      'opens a connection': false,
      'starts a program': false,
      'signals its parent': false,
      calculates: true,
    });
    expect(existsSync(file)).toBe(false);
  },
);

test('a file is what its first bytes say, and nothing else is decoded', async () => {
  const starts = ['\u0089PNG\r\n\u001a\n', '\u00ff\u00d8\u00ff', 'GIF89a', 'RIFF\0\0\0\0WEBP'];
  const bytes = starts.map((text) => Buffer.from(text, 'latin1'));
  expect(bytes.map(typeOf)).toEqual([...uploadedTypes]);
  for (const other of ['', '\u0089PN', '<svg/>', 'RIFF\0\0\0\0WAVE', '%PDF-1.7', 'GIF88a'])
    expect(typeOf(Buffer.from(other, 'latin1'))).toBeNull();
  const png = Buffer.concat([SIGNATURE]);
  expect(await runDecoder(png, 'image/jpeg')).toMatchObject({ reason: 'type_mismatch', died: false });
  expect(await runDecoder(new Uint8Array(), 'image/png')).toMatchObject({
    reason: 'not_an_image',
    died: false,
  });
});
