import { Problem } from '../shared/problem.ts';

/** Largest request body (contract/requests#body-size). */
export const REQUEST_BYTES_MAX = 1_048_576;

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

/** True when the client announced no length: its body must be counted while it is read. */
export function isChunked(request: Request): boolean {
  return request.headers.get('content-length') === null && request.body !== null;
}

/**
 * The whole body, of which a declared length was checked before. Stops reading and throws `request_body_too_large` at
 * the first byte past the limit, `malformed_json` when the sender is too slow or goes away.
 */
export async function readBody(request: Request, deadlineMs = ARRIVAL_DEADLINE_MS): Promise<Uint8Array> {
  // Bun collects a body of known length itself: reading its stream costs 30 us more a request (1.4.4).
  if (!isChunked(request) || request.body === null) return withinDeadline(request.bytes(), deadlineMs);
  const reader = request.body.getReader();
  try {
    return await withinDeadline(collect(reader), deadlineMs);
  } catch (error) {
    // What is still to come is nobody's: the connection ends with this response.
    await reader.cancel().catch(() => undefined);
    throw error;
  }
}

async function withinDeadline(arrival: Promise<Uint8Array>, deadlineMs: number): Promise<Uint8Array> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    deadline.reject(
      new Problem('malformed_json', {
        detail: `The body did not arrive within ${deadlineMs / 1000} seconds.`,
      }),
    );
  }, deadlineMs);
  try {
    return await Promise.race([arrival, deadline.promise]);
  } catch (error) {
    if (error instanceof Problem) throw error;
    // The client went away in the middle: its doing, not a failure of ours.
    throw new Problem('malformed_json', { detail: 'The body broke off before its end.', cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function collect(reader: {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) break;
    byteCount += value.byteLength;
    if (byteCount > REQUEST_BYTES_MAX) throw new Problem('request_body_too_large');
    chunks.push(value);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
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
