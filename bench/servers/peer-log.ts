import { pino } from 'pino';
import type { Principal } from './peer-database.ts';
import type { PeerWrite } from './peer-writes.ts';

/** A log as the documentation of pino recommends it for throughput: lines are written together, as the product's are. */
const log = pino(
  { base: { name: 'peer', pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
  pino.destination({ dest: 2, sync: false, minLength: 4_096, periodicFlush: 20 }),
);

interface AcceptedWrite {
  write: PeerWrite;
  principal: Principal;
  path: string;
  client: string;
  startedAtMs: number;
  /** The headers of the response. */
  headers: Record<string, string>;
  text: string;
}

/** Writes the line of the product's access log for a write that was accepted. */
export function logWrite({
  write,
  principal,
  path,
  client,
  startedAtMs,
  headers,
  text,
}: AcceptedWrite): void {
  log.info(
    {
      requestId: headers['X-Request-Id'],
      traceId: headers.traceparent?.slice(3, 35),
      method: 'POST',
      operation: write.operation,
      path,
      status: write.status,
      code: null,
      durationMs: Math.round(performance.now() - startedAtMs),
      keyId: principal.id,
      accountId: principal.accountId,
      client,
      replayed: false,
      bytes: Buffer.byteLength(text),
    },
    'request',
  );
}
