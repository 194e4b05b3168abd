import { publishedLimits, unpublishedLimits } from '../../shared/contract-limits.ts';
import { Deadlines } from '../../shared/deadlines.ts';
import { Problem } from '../../shared/problem.ts';
import type { RouteDefinition } from '../route.ts';

/** Largest JSON body of any operation (contract/requests#body-size). */
const REQUEST_BYTES_MAX = publishedLimits.requestBodyBytes;
/** Largest JSON body of an operation that names no other size: more than its schema admits. */
const OPERATION_BYTES_MAX = unpublishedLimits.operationBodyBytes;

export function bodyBytesMax({ upload, bulkBody }: Pick<RouteDefinition, 'upload' | 'bulkBody'>): number {
  return upload?.bytesMax ?? (bulkBody === true ? REQUEST_BYTES_MAX : OPERATION_BYTES_MAX);
}

/** The problem of a body beyond the limit of its operation. */
export function bodyTooLarge(bytesMax: number): Problem {
  const detail = `The body is larger than ${bytesMax.toLocaleString('en-US')} bytes.`;
  return new Problem('request_body_too_large', { detail });
}

/** A whole body must arrive within this time, however steadily its bytes come. */
const ARRIVAL_DEADLINE_MS = 10_000;
const arrivals = new Deadlines(ARRIVAL_DEADLINE_MS);

/**
 * Most brackets, commas, colons and backslashes that a body may hold. No valid body comes near it, and
 * parsing 1 MiB of them blocks the event loop for up to 420 ms (nested arrays, measured on Bun 1.4.4).
 */
const STRUCTURE_MAX = 4_096;

/** Bodies up to this size parse in well under a millisecond, whatever they hold. */
const UNSUSPICIOUS_BYTES = 4_096;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Largest unread body that is discarded instead of cutting the connection off: a client that sends slightly
 * too much can still read the response.
 */
const DISCARDED_BYTES_MAX = 4 * REQUEST_BYTES_MAX;

/**
 * The body that the headers of a request announce, even if the operation takes none; null when they announce
 * none.
 */
export function announcedBody(request: Request): RequestBody | null {
  const { headers } = request;
  const declaredLength = headers.get('content-length');
  const isTransferEncoded = headers.get('transfer-encoding') !== null;
  return declaredLength === null && !isTransferEncoded
    ? null
    : new RequestBody(request, declaredLength, isTransferEncoded);
}

/** Ends the body of a request that went through no pipeline, as `RequestBody.end` does. */
export function endUnreadBody(request: Request, response: Response): Response {
  return announcedBody(request)?.end(response) ?? response;
}

export class RequestBody {
  readonly #request: Request;
  readonly #declaredLength: string | null;
  readonly #isTransferEncoded: boolean;
  #outcome: 'unread' | 'read' | 'given-up' = 'unread';

  constructor(request: Request, declaredLength: string | null, isTransferEncoded = false) {
    this.#request = request;
    this.#declaredLength = declaredLength;
    this.#isTransferEncoded = isTransferEncoded;
  }

  /** True when the client announced no length: the bytes must be counted while they arrive. */
  get isOfUnknownLength(): boolean {
    return this.#declaredLength === null && this.#request.body !== null;
  }

  /** True when the announced length exceeds the limit: nothing of the body is read. */
  declaresMoreThan(bytesMax: number): boolean {
    return Number(this.#declaredLength) > bytesMax;
  }

  /** Bytes that the body may take: those that it declares, or the most that it may have. */
  roomFor(bytesMax: number): number {
    return this.#declaredLength === null ? bytesMax : Number(this.#declaredLength);
  }

  /** Nothing of the body will be read. */
  giveUp(): void {
    this.#outcome = 'given-up';
  }

  /**
   * Reads the whole body; a declared length was checked before. Stops and throws `request_body_too_large` at
   * the first byte past the limit, `malformed_json` when the sender is too slow or goes away.
   */
  read(bytesMax: number, deadlines = arrivals): Promise<Uint8Array> {
    const { body } = this.#request;
    // Bun collects a body of known length itself: reading its stream costs 30 µs more a request (1.4.4).
    if (this.#declaredLength !== null || body === null)
      return this.#arrivalOf(this.#request.bytes(), deadlines, () => {});
    const reader = body.getReader();
    return this.#arrivalOf(
      collect(reader, bytesMax),
      deadlines,
      () => void reader.cancel().catch(() => undefined),
    );
  }

  /**
   * Closes the connection after the response when too much of the body may still come: otherwise the server
   * reads for as long as the client sends (Bun 1.4.4: 100 MB/s; cancelling the body changes nothing). Call it
   * with the finished response.
   */
  end(response: Response): Response {
    const isOpenEnded = this.#isTransferEncoded || Number(this.#declaredLength) > DISCARDED_BYTES_MAX;
    const mayGoOn = (isOpenEnded && this.#outcome !== 'read') || this.#outcome === 'given-up';
    if (mayGoOn) response.headers.set('Connection', 'close');
    return response;
  }

  #arrivalOf(arrival: Promise<Uint8Array>, deadlines: Deadlines, giveUp: () => void): Promise<Uint8Array> {
    const fail = (problem: Problem): never => {
      this.#outcome = 'given-up';
      giveUp();
      throw problem;
    };
    return deadlines.within(arrival, {
      inTime: (bytes) => {
        this.#outcome = 'read';
        return bytes;
      },
      failed(error) {
        // The client went away in the middle: this is no failure of the service.
        const detail = 'The body ended early.';
        return fail(
          error instanceof Problem ? error : new Problem('malformed_json', { detail, cause: error }),
        );
      },
      expired() {
        const detail = `The body did not arrive within ${deadlines.seconds} seconds.`;
        return fail(new Problem('malformed_json', { detail }));
      },
    });
  }
}

/** Most bodies fit; a full buffer is replaced by one of twice the size. */
const FIRST_BUFFER_BYTES = 4_096;

/**
 * Copies arriving pieces into one buffer: a list of one-byte pieces would take 60 times the memory of the
 * body.
 */
async function collect(
  reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> },
  bytesMax: number,
): Promise<Uint8Array> {
  let buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  let byteCount = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return buffer.subarray(0, byteCount);
    const needed = byteCount + value.byteLength;
    if (needed > bytesMax) throw bodyTooLarge(bytesMax);
    if (needed > buffer.byteLength) buffer = grow(buffer, byteCount, needed, bytesMax);
    buffer.set(value, byteCount);
    byteCount = needed;
  }
}

function grow(buffer: Uint8Array, used: number, needed: number, bytesMax: number): Uint8Array<ArrayBuffer> {
  const size = Math.min(bytesMax, Math.max(needed, 2 * buffer.byteLength));
  const larger = new Uint8Array(size);
  larger.set(buffer.subarray(0, used));
  return larger;
}

/**
 * Parses a JSON body. Invalid UTF-8, a byte order mark and invalid JSON are `malformed_json`. A body with far
 * more structure than any operation takes is `validation_failed` without being parsed.
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

/** Marks the bytes of `{ } [ ] , : \`. */
const STRUCTURE = new Uint8Array(256);
for (const character of '{}[],:\\') STRUCTURE[character.charCodeAt(0)] = 1;

function isOverstructured(bytes: Uint8Array): boolean {
  let count = 0;
  // An indexed loop, not for-of: its iterator makes 1 MiB cost 26 ms instead of one.
  for (let index = 0; index < bytes.byteLength && count <= STRUCTURE_MAX; index += 1) {
    count += STRUCTURE[bytes[index] ?? 0] ?? 0;
  }
  return count > STRUCTURE_MAX;
}
