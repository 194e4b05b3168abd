/** The first line that a decoder writes: from here on its end is the work of the image. */
export const READY = 'ready';

/** Why an image is not stored. */
export type DecoderRefusal = { refused: 'corrupt' | 'too_many_pixels' };

/** The line before the bytes. */
export interface DecodedHeader {
  width: number;
  height: number;
  byteLength: number;
}

const NEWLINE = 0x0a;

/**
 * Reads what a decoder has written. Null when it is not whole. The decoder has handled a hostile file: nothing of its output
 * is believed unchecked.
 */
export function readDecoderOutput(
  output: Uint8Array,
): DecoderRefusal | (DecodedHeader & { bytes: Uint8Array }) | null {
  const readyEnd = output.indexOf(NEWLINE);
  const headerEnd = output.indexOf(NEWLINE, readyEnd + 1);
  if (readyEnd === -1 || headerEnd === -1) return null;
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder().decode(output.subarray(readyEnd + 1, headerEnd)));
  } catch {
    return null;
  }
  if (typeof header !== 'object' || header === null) return null;
  if ('refused' in header) {
    const { refused } = header;
    return refused === 'corrupt' || refused === 'too_many_pixels' ? { refused } : null;
  }
  const bytes = output.subarray(headerEnd + 1);
  const { width, height, byteLength } = header as Record<string, unknown>;
  const isWhole = isCount(width) && isCount(height) && isCount(byteLength) && byteLength === bytes.byteLength;
  return isWhole ? { width, height, byteLength, bytes } : null;
}

export function isReady(output: Uint8Array): boolean {
  return new TextDecoder().decode(output.subarray(0, READY.length + 1)) === `${READY}\n`;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
