import type { IncomingMessage } from 'node:http';
import { AttemptFailure } from './attempt-failure.ts';

/** More of a response is never read (contract/delivery#response-body). */
const READ_BYTES_MAX = 64 * 1024;
/** Stored with the attempt. */
const KEPT_BYTES_MAX = 1024;

export interface BodyStart {
  /** First 1 KiB, without decoding any content coding. */
  bodyStart: Uint8Array;
  /** False when reading stopped at 64 KiB: the connection cannot be used again. */
  complete: boolean;
}

/** Reads up to 64 KiB of a response and keeps its start. Rejects when the response is interrupted before its end. */
export function readBodyStart(response: IncomingMessage): Promise<BodyStart> {
  return new Promise((resolve, reject) => {
    const kept: Uint8Array[] = [];
    let readBytes = 0;
    const finish = (complete: boolean) =>
      resolve({ bodyStart: Buffer.concat(kept).subarray(0, KEPT_BYTES_MAX), complete });
    response.on('data', (chunk: Uint8Array) => {
      if (readBytes < KEPT_BYTES_MAX)
        kept.push(Uint8Array.from(chunk.subarray(0, KEPT_BYTES_MAX - readBytes)));
      readBytes += chunk.byteLength;
      if (readBytes > READ_BYTES_MAX) finish(false);
    });
    response.on('end', () => finish(true));
    response.on('error', reject);
    response.on('close', () => {
      if (!response.complete)
        reject(new AttemptFailure('network_error', 'the response was cut off', response.statusCode ?? null));
    });
  });
}
