import { Problem } from '../shared/problem.ts';

/** Largest request body (spec 8). */
export const REQUEST_BYTES_MAX = 1_048_576;

const NO_BYTES = new Uint8Array(0);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Refuses a request by its declared length, before anything is read. */
export function refuseDeclaredLength(request: Request): void {
  if (Number(request.headers.get('content-length') ?? 0) > REQUEST_BYTES_MAX) {
    throw new Problem('request_body_too_large');
  }
}

/** True when the client announced no length: its body must be counted while it is read. */
export function isChunked(request: Request): boolean {
  return request.body !== null && request.headers.get('content-length') === null;
}

/** The whole body; stops reading and throws `request_body_too_large` at the first byte past the limit. */
export async function readBody(request: Request): Promise<Uint8Array> {
  if (request.body === null) return NO_BYTES;
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of request.body) {
    byteCount += chunk.byteLength;
    if (byteCount > REQUEST_BYTES_MAX) throw new Problem('request_body_too_large');
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** Parses a JSON body; invalid UTF-8, a byte order mark and invalid JSON are `malformed_json`. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Problem('malformed_json');
  }
}
