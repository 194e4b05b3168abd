import { publishedLimits } from '../shared/contract-limits.ts';
import { Problem } from '../shared/problem.ts';

/** Largest request body (contract/requests#body-size). */
export const REQUEST_BYTES_MAX = publishedLimits.requestBodyBytes;

/** A whole body must arrive within this time, however steadily it drips. */
const ARRIVAL_DEADLINE_MS = 10_000;

/**
 * Brackets, commas, colons and backslashes in a body: no valid one has nearly as many, and parsing 1 MiB of them
 * holds the event loop for up to 420 ms (nested arrays, measured on Bun 1.4.4).
 */
const STRUCTURE_MAX = 4_096;

/** Bodies up to this size parse in well under a millisecond, whatever is in them. */
const UNSUSPICIOUS_BYTES = 4_096;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Refuses a request by its declared length, before anything is read. */
export function refuseDeclaredLength(request: Request): void {
  if (Number(request.headers.get('content-length') ?? 0) > REQUEST_BYTES_MAX) {
    throw new Problem('request_body_too_large');
  }
}

/** True when a body may follow the headers, whether the request should have one or not. */
export function announcesBody({ headers }: Request): boolean {
  return headers.get('content-length') !== null || headers.get('transfer-encoding') !== null;
}

/** True when the client announced no length: its body must be counted while it is read. */
export function isChunked(request: Request): boolean {
  return request.headers.get('content-length') === null && request.body !== null;
}

/**
 * A body that nobody reads is discarded while its client sends no more than this: a client that sends somewhat too
 * much can still read the response, which closing the connection could cut off.
 */
const DISCARDED_BYTES_MAX = 4 * REQUEST_BYTES_MAX;

/** Bodies without a declared length that were read to their end. */
const readToEnd = new WeakSet<Request>();
/** Bodies of a declared length that were given up. */
const givenUp = new WeakSet<Request>();

/**
 * Closes the connection after the response when more of the body may come than is wanted: otherwise the server goes on
 * reading for as long as the client sends (Bun 1.4.4: 100 MB/s; cancelling the body changes nothing). For the finished
 * response.
 */
export function endUnreadBody(request: Request, response: Response): Response {
  const { headers } = request;
  const isUnread =
    (headers.get('transfer-encoding') !== null && !readToEnd.has(request)) ||
    Number(headers.get('content-length') ?? 0) > DISCARDED_BYTES_MAX ||
    givenUp.has(request);
  if (isUnread) response.headers.set('Connection', 'close');
  return response;
}

/**
 * The whole body, of which a declared length was checked before. Stops reading and throws `request_body_too_large` at
 * the first byte past the limit, `malformed_json` when the sender is too slow or goes away.
 */
export async function readBody(request: Request, deadlineMs = ARRIVAL_DEADLINE_MS): Promise<Uint8Array> {
  // Bun collects a body of known length itself: reading its stream costs 30 µs more a request (1.4.4).
  if (!isChunked(request) || request.body === null) {
    try {
      return await withinDeadline(request.bytes(), deadlineMs);
    } catch (error) {
      givenUp.add(request);
      throw error;
    }
  }
  const reader = request.body.getReader();
  try {
    const bytes = await withinDeadline(collect(reader), deadlineMs);
    readToEnd.add(request);
    return bytes;
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error;
  }
}

function withinDeadline(arrival: Promise<Uint8Array>, deadlineMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const detail = `The body did not arrive within ${deadlineMs / 1000} seconds.`;
      reject(new Problem('malformed_json', { detail }));
    }, deadlineMs);
    arrival.then(
      (bytes) => {
        clearTimeout(timer);
        resolve(bytes);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // The client went away in the middle: its doing, not a failure of ours.
        const detail = 'The body broke off before its end.';
        reject(error instanceof Problem ? error : new Problem('malformed_json', { detail, cause: error }));
      },
    );
  });
}

/** Most bodies fit; a full buffer makes way for one of twice the size. */
const FIRST_BUFFER_BYTES = 4_096;

/** Copies what arrives: a list of one-byte pieces would take 60 times the memory of the body. */
async function collect(reader: {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}): Promise<Uint8Array> {
  let buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  let byteCount = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return buffer.subarray(0, byteCount);
    const needed = byteCount + value.byteLength;
    if (needed > REQUEST_BYTES_MAX) throw new Problem('request_body_too_large');
    if (needed > buffer.byteLength) buffer = grown(buffer, byteCount, needed);
    buffer.set(value, byteCount);
    byteCount = needed;
  }
}

function grown(buffer: Uint8Array, used: number, needed: number): Uint8Array<ArrayBuffer> {
  const size = Math.min(REQUEST_BYTES_MAX, Math.max(needed, 2 * buffer.byteLength));
  const larger = new Uint8Array(size);
  larger.set(buffer.subarray(0, used));
  return larger;
}

/**
 * Parses a JSON body; invalid UTF-8, a byte order mark and invalid JSON are `malformed_json`. A body with far more
 * structure than any operation takes is `validation_failed` without being parsed.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength > UNSUSPICIOUS_BYTES && isOverstructured(bytes)) {
    const message = `must not hold more than ${STRUCTURE_MAX} JSON tokens`;
    throw new Problem('validation_failed', { errors: [{ path: '/body', code: 'too_long', message }] });
  }
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Problem('malformed_json');
  }
}

/** `{ } [ ] , : \` as a table by byte. */
const STRUCTURE = new Uint8Array(256);
for (const character of '{}[],:\\') STRUCTURE[character.charCodeAt(0)] = 1;

function isOverstructured(bytes: Uint8Array): boolean {
  let count = 0;
  // Not for-of: the iterator makes 1 MiB cost 26 ms instead of one.
  for (let index = 0; index < bytes.byteLength && count <= STRUCTURE_MAX; index += 1) {
    count += STRUCTURE[bytes[index] ?? 0] ?? 0;
  }
  return count > STRUCTURE_MAX;
}
