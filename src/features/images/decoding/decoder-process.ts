// A process of its own that decodes one image and encodes it again; `run-decoder.ts` starts it. It reads the file from its
// standard input, and writes a line, a line of JSON and the bytes to its standard output (`decoder-output.ts`).
import { setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import type { UploadedType } from '../image-types.ts';
import { CONFINEMENT, confine } from './confine.ts';
import { type DecoderRefusal, READY } from './decoder-output.ts';
import { PIXELS_MAX, STORED_SIDE_MAX } from './limits.ts';

/** Requests of the api come first. */
const PRIORITY = 10;

const loaders: Readonly<Record<UploadedType, string>> = {
  'image/png': 'VipsForeignLoadPngBuffer',
  'image/jpeg': 'VipsForeignLoadJpegBuffer',
  'image/gif': 'VipsForeignLoadNsgifBuffer',
  'image/webp': 'VipsForeignLoadWebpBuffer',
};

/** The loader of WebP takes the memory for all pixels before their number is compared. */
const TOO_LARGE = /exceeds pixel limit|out of memory/;

setPriority(PRIORITY);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.concurrency(1);
sharp.cache(false);
const isConfined = confine();
process.stdout.write(`${READY}\n`);

const type = process.argv[2] as UploadedType;
// `doctor` asks what a decoder may do here.
if (process.argv[2] === CONFINEMENT) {
  process.stdout.write(`${JSON.stringify({ isConfined })}\n`);
  process.exit();
}
sharp.unblock({ operation: [loaders[type]] });
const file = await Bun.stdin.bytes();
const output = await decode(file, type).catch(refusalOf);
if ('refused' in output) await Bun.write(Bun.stdout, `${JSON.stringify(output)}\n`);
else {
  const { data, width, height } = output;
  await Bun.write(Bun.stdout, [`${JSON.stringify({ width, height, byteLength: data.byteLength })}\n`, data]);
}

async function decode(bytes: Uint8Array, from: UploadedType) {
  // One page: an animation becomes its first frame. What the file says besides its pixels is not passed on.
  const pixels = sharp(bytes, {
    limitInputPixels: PIXELS_MAX,
    failOn: 'error',
    pages: 1,
    sequentialRead: true,
  })
    .autoOrient()
    .resize({ width: STORED_SIDE_MAX, height: STORED_SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const { data, info } = await encoderOf(pixels, from).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function refusalOf(error: unknown): DecoderRefusal {
  const isTooLarge = error instanceof Error && TOO_LARGE.test(error.message);
  return { refused: isTooLarge ? 'too_many_pixels' : 'corrupt' };
}

function encoderOf(pixels: Sharp, from: UploadedType): Sharp {
  switch (from) {
    case 'image/png':
    case 'image/gif':
      return pixels.png({ compressionLevel: 6 });
    case 'image/jpeg':
      return pixels.jpeg({ quality: 88 });
    case 'image/webp':
      return pixels.webp({ quality: 90 });
  }
}
