import { randomBytes } from 'node:crypto';

/** The identity of a span for other processes (W3C Trace Context). */
export interface SpanContext {
  /** 32 lowercase hex characters. */
  traceId: string;
  /** 16 lowercase hex characters. */
  spanId: string;
  /** The trace is recorded; services that continue it record too. */
  sampled: boolean;
}

/** Version 00 ends after the flags. A later one may go on behind another dash; ff is none. */
const TRACEPARENT =
  /^(?!ff)(?!00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/**
 * Reads a `traceparent` of any version. Returns null when it is absent or invalid:
 * https://www.w3.org/TR/trace-context/#versioning-of-traceparent
 */
export function parseTraceparent(received: string | null): SpanContext | null {
  const match = received === null ? null : TRACEPARENT.exec(received);
  if (match === null) return null;
  const [, traceId = '', spanId = '', flags = ''] = match;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** In version 00, whatever version the caller's had. */
export function formatTraceparent({ traceId, spanId, sampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

export function randomTraceId(): string {
  return randomBytes(16).toString('hex');
}

export function randomSpanId(): string {
  return randomBytes(8).toString('hex');
}

/**
 * Decides from the id whether a new trace is recorded, so that two processes decide alike.
 *
 * @param ratio from 0 (none) to 1 (all)
 */
export function isInRatio(traceId: string, ratio: number): boolean {
  // 52 bits, which a number holds exactly.
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}
