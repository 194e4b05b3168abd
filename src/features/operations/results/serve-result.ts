import type { Database } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Logger } from '../../../shared/log.ts';
import type { ResultLinks } from './links.ts';
import { findChunk, findResult, type ResultFile } from './rows.ts';

export interface ResultDependencies {
  database: Database;
  clock: Clock;
  resultLinks: Pick<ResultLinks, 'isValid'>;
  log: Logger;
}

const COMMON = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' };

/**
 * Serves a result file to whoever has its link, outside the contract (contract/operations#result-links). A
 * forged link, an expired link and a deleted file get the same 404. The file is read piece by piece as the
 * client takes it, so that memory does not grow with its size.
 * @param operationId the text in the path
 */
export async function serveResult(
  { method, query }: { method: string; query: URLSearchParams },
  operationId: string,
  { database, clock, resultLinks, log }: ResultDependencies,
): Promise<Response> {
  const now = clock.now();
  if (!resultLinks.isValid(operationId, query, now))
    return plain(404, 'not found');
  let file: ResultFile | null;
  let first: Uint8Array | null;
  try {
    file = await findResult(database, operationId, now);
    first = await findChunk(database, operationId, 0);
  } catch (err) {
    log.error({ err, operationId }, 'result.not_read');
    return plain(503, 'unavailable');
  }
  if (file === null || (first === null && file.byteLength > 0n)) return plain(404, 'not found');
  const headers = {
    ...COMMON,
    'Content-Type': file.contentType,
    // Bun 1.4 sends streams chunked and drops the length (oven-sh/bun#10507): only HEAD and files of one
    // piece have it.
    'Content-Length': file.byteLength.toString(),
    'Content-Disposition': `attachment; filename="${file.fileName}"`,
  };
  if (method === 'HEAD') return new Response(null, { headers });
  if (first === null) return new Response('', { headers });
  const isWhole = BigInt(first.byteLength) === file.byteLength;
  return new Response(
    isWhole ? Buffer.from(first) : chunksOf(database, operationId, first, file.byteLength),
    {
      headers,
    },
  );
}

/** Reads one chunk at a time, the next when the client has taken the one before. */
function chunksOf(
  database: Database,
  operationId: string,
  first: Uint8Array,
  byteLength: bigint,
): ReadableStream<Uint8Array<ArrayBufferLike>> {
  let ordinal = 0;
  let remaining = byteLength;
  return new ReadableStream(
    {
      async pull(controller) {
        const content = ordinal === 0 ? first : await findChunk(database, operationId, ordinal);
        // The file was removed meanwhile: the client sees a broken connection, never a shorter file.
        if (content === null) throw new Error('the result was removed while it was sent');
        ordinal += 1;
        remaining -= BigInt(content.byteLength);
        controller.enqueue(content);
        if (remaining <= 0n) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

function plain(status: number, text: string): Response {
  const headers = { ...COMMON, 'Content-Type': 'text/plain; charset=utf-8' };
  return new Response(`${text}\n`, { status, headers });
}
