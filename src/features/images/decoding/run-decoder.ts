import { fileURLToPath } from 'node:url';
import { type StoredType, storedTypeOf, typeOf, type UploadedType } from '../image-types.ts';
import { CONFINEMENT } from './confine.ts';
import { isReady, readDecoderOutput } from './decoder-output.ts';
import { STORED_BYTES_MAX, STORED_SIDE_MAX } from './limits.ts';

/** An image as it is stored. */
export interface DecodedImage {
  bytes: Uint8Array;
  mediaType: StoredType;
  width: number;
  height: number;
}

/** Why a file is not stored (contract/images#refused). */
export const imageRefusals = [
  'not_an_image',
  'type_mismatch',
  'corrupt',
  'too_many_pixels',
  'too_costly',
] as const;
export type ImageRefusal = (typeof imageRefusals)[number];

/**
 * The end of one decoder: the image, the reason why the file is refused, or a failure that is not the file's: the decoder did
 * not start, or had too little of the machine.
 */
export type DecoderEnd =
  | { outcome: 'decoded'; image: DecodedImage }
  | { outcome: 'refused'; reason: ImageRefusal; died: boolean }
  | { outcome: 'failed'; reason: string };

export interface DecoderLimits {
  /** CPU time. An interlaced PNG of 40 megapixels takes 1.2 s (docs/operations/images.md). */
  cpuSeconds: number;
  /** Private memory. A usual image takes 60 MB, one of 40 megapixels that has to be whole in memory 240 MB. */
  memoryKiB: number;
  /** Time since its start; it ends far before the deadline of an upload. */
  wallMs: number;
  /** The program, for tests. */
  program?: string;
}

export const decoderLimits: DecoderLimits = { cpuSeconds: 6, memoryKiB: 500_000, wallMs: 9_000 };

const PROGRAM = fileURLToPath(new URL('./decoder-process.ts', import.meta.url));
/** The two lines before the bytes. */
const HEADER_BYTES_MAX = 1_024;

/**
 * The kernel ends a process at these limits, also one whose parent is gone, and before any other where memory is short. `exec`
 * keeps the process id. What a system does not know is left out.
 */
function limitingShell({ cpuSeconds, memoryKiB }: DecoderLimits): string {
  return `ulimit -S -t ${cpuSeconds}; ulimit -H -t ${cpuSeconds + 2}; ulimit -d ${memoryKiB} 2>/dev/null; ulimit -c 0
{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"`;
}

/**
 * Decodes a file and encodes it again, in a process of its own that gets no variables of this one, confines itself before it
 * reads the file (`confine.ts`), and may die. Never throws.
 */
export async function runDecoder(
  file: Uint8Array,
  declared: UploadedType,
  limits: DecoderLimits = decoderLimits,
): Promise<DecoderEnd> {
  const type = typeOf(file);
  if (type === null) return refused('not_an_image');
  if (type !== declared) return refused('type_mismatch');
  const command = ['/bin/sh', '-c', limitingShell(limits), 'sh', process.execPath];
  const decoder = Bun.spawn([...command, limits.program ?? PROGRAM, type], {
    // Bun would read `.env` of the folder of this process.
    cwd: '/',
    env: {},
    stdin: file,
    stdout: 'pipe',
    stderr: 'ignore',
  });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    decoder.kill('SIGKILL');
  }, limits.wallMs);
  try {
    const { output, isCut } = await collect(decoder.stdout);
    if (isCut) return refused('corrupt', true);
    await decoder.exited;
    if (isLate) return failed(`the decoder did not end within ${limits.wallMs} ms`);
    return endOf(output, type, decoder.signalCode);
  } catch (error) {
    return failed(String(error));
  } finally {
    clearTimeout(late);
    decoder.kill('SIGKILL');
  }
}

function endOf(output: Uint8Array, type: UploadedType, signal: NodeJS.Signals | number | null): DecoderEnd {
  if (!isReady(output)) return failed(`the decoder did not start (${signal ?? 'it exited'})`);
  const result = readDecoderOutput(output);
  // The machine had no memory left: that says nothing about the file.
  if (result === null && signal === 'SIGKILL') return failed('the decoder was killed');
  if (result === null) return refused(signal === 'SIGXCPU' ? 'too_costly' : 'corrupt', true);
  if ('refused' in result) return refused(result.refused);
  const { bytes, width, height } = result;
  const mediaType = storedTypeOf(type);
  const isSound = typeOf(bytes) === mediaType && Math.max(width, height) <= STORED_SIDE_MAX;
  return isSound
    ? { outcome: 'decoded', image: { bytes, mediaType, width, height } }
    : refused('corrupt', true);
}

/**
 * Whether decoders on this machine open no file and no connection, start no program, and see no other process.
 * Rejects when no decoder can be started.
 */
export async function areDecodersConfined(): Promise<boolean> {
  const decoder = Bun.spawn([process.execPath, PROGRAM, CONFINEMENT], {
    cwd: '/',
    env: {},
    stderr: 'ignore',
  });
  const [, answer = ''] = (await new Response(decoder.stdout).text()).split('\n');
  const { isConfined } = JSON.parse(answer) as { isConfined: boolean };
  return isConfined;
}

/** The output; one that is longer than a decoder may write is cut. */
async function collect(stream: ReadableStream<Uint8Array>): Promise<{ output: Uint8Array; isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let byteCount = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    byteCount += piece.byteLength;
    if (byteCount > STORED_BYTES_MAX + HEADER_BYTES_MAX) return { output: new Uint8Array(), isCut: true };
  }
  return { output: Buffer.concat(pieces), isCut: false };
}

function refused(reason: ImageRefusal, died = false): DecoderEnd {
  return { outcome: 'refused', reason, died };
}

function failed(reason: string): DecoderEnd {
  return { outcome: 'failed', reason };
}
