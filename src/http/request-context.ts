import { randomFillSync } from 'node:crypto';

/** Facts about one request, known before any check runs. */
export interface RequestContext {
  request: Request;
  /** Path without query, as sent: the `instance` of problems. */
  path: string;
  /** `req_` + 32 hex characters; equals the header `X-Request-Id`. */
  requestId: string;
  /** W3C trace context of the response: the caller's trace id when it sent a valid one, a new span id. */
  traceparent: string;
  startedAtMs: number;
  /** Address of the TCP peer, looked up only when it is needed; empty when the server does not know it. */
  peerAddress(): string;
}

export function beginRequest(request: Request, peerAddress: () => string): RequestContext {
  const { url } = request;
  const pathStart = url.indexOf('/', url.indexOf('://') + 3);
  const queryStart = url.indexOf('?', pathStart);
  const random = randomHex();
  return {
    request,
    path: queryStart === -1 ? url.slice(pathStart) : url.slice(pathStart, queryStart),
    requestId: `req_${random.slice(0, 32)}`,
    traceparent: continueTrace(request.headers.get('traceparent'), random),
    startedAtMs: performance.now(),
    peerAddress,
  };
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** https://www.w3.org/TR/trace-context/#traceparent-header */
function continueTrace(received: string | null, random: string): string {
  const spanId = random.slice(64);
  const match = received === null ? null : TRACEPARENT.exec(received);
  return match === null ? `00-${random.slice(32, 64)}-${spanId}-01` : `00-${match[1]}-${spanId}-${match[2]}`;
}

/** Request id, trace id and span id. */
const RANDOM_BYTES = 16 + 16 + 8;
const pool = Buffer.alloc(200 * RANDOM_BYTES);
let poolOffset = pool.byteLength;

/** 80 hex characters from a pool: one system call per 200 requests. */
function randomHex(): string {
  if (poolOffset === pool.byteLength) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  poolOffset += RANDOM_BYTES;
  return pool.toString('hex', poolOffset - RANDOM_BYTES, poolOffset);
}
