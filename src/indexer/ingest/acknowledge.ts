import { type JsMsg, jetstream } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { publishStored } from '../../shared/bus/publish.ts';
import { INGEST_REJECTED_SUBJECT } from '../../shared/bus/topology.ts';
import type { Logger } from '../../shared/log.ts';
import type { RejectionReason, Verdict } from './verdict.ts';

/**
 * Delays before each retry of a message that waits for another one, for example a trade that waits for its
 * token: feeds are separate, and another worker may be storing the token at this moment or have died with it.
 * After 48 s in total the message is rejected. This is longer than the broker waits before it gives a dead
 * worker's messages to another (`ACK_WAIT_MS`), so a crash never leads to a rejection.
 */
export const RETRY_DELAYS_MS: readonly number[] = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000];
/**
 * Bytes of a rejected message that are kept. A message at the broker's size limit would not fit together with
 * its reason.
 */
const KEPT_BYTES = 65_536;

/** A message and its outcome. */
export interface AcknowledgedMessage {
  subject: string;
  data: Uint8Array;
  outcome: Verdict['outcome'];
  /** Why the message was rejected or waits. Null when it was applied. */
  reason: string | null;
}

/**
 * Acknowledges one message by its verdict: ack when it was applied, nak with a delay when it waits. A message
 * that is rejected, or has waited long enough, is copied to `ingest.rejected` and then acknowledged. Returns
 * the outcome.
 */
export async function acknowledge(
  connection: NatsConnection,
  log: Logger,
  message: JsMsg,
  verdict: Verdict,
  retryDelaysMs: readonly number[],
): Promise<Verdict['outcome']> {
  switch (verdict.outcome) {
    case 'applied':
      message.ack();
      return 'applied';
    case 'rejected':
      await reject(connection, log, message, verdict.reason, verdict.detail);
      return 'rejected';
    case 'waiting': {
      const delayMs = retryDelaysMs[message.info.deliveryCount - 1];
      if (delayMs === undefined) {
        await reject(connection, log, message, verdict.reason, verdict.detail);
        return 'rejected';
      }
      message.nak(delayMs);
      return 'waiting';
    }
  }
}

/**
 * Stores the message in `ingest.rejected` with its reason, then acknowledges it. Throws when it could not be
 * stored.
 */
async function reject(
  connection: NatsConnection,
  log: Logger,
  message: JsMsg,
  reason: RejectionReason,
  detail: string,
): Promise<void> {
  const rejection = headers();
  rejection.set('Launchwire-Reason', reason);
  rejection.set('Launchwire-Detail', detail.replace(/[^\x20-\x7e]/g, '?').slice(0, 500));
  rejection.set('Launchwire-Subject', message.subject);
  const { stream, streamSequence, timestampNanos } = message.info;
  await publishStored(jetstream(connection), INGEST_REJECTED_SUBJECT, message.data.subarray(0, KEPT_BYTES), {
    headers: rejection,
    // The time distinguishes equal sequence numbers of a stream that was lost and created again.
    msgID: `${stream}:${streamSequence}:${timestampNanos}`,
  });
  log.warn({ reason, detail, subject: message.subject, streamSequence }, 'ingest.rejected');
  // Not term(reason): nats-server 2.9 ignores a term with a reason, and would deliver the message again.
  message.ack();
}
