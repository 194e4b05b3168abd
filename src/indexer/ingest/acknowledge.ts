import { type JsMsg, jetstream } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { INGEST_REJECTED_SUBJECT } from '../../shared/bus/topology.ts';
import type { Logger } from '../../shared/log.ts';
import type { RejectionReason, Verdict } from './verdict.ts';

/**
 * A trade may overtake its token: feeds are separate, and another worker may be storing it at this moment, or have died
 * with it. It is tried again after these pauses, 48 s in all, while everything else goes on; then it is rejected. That is
 * longer than the broker waits before it gives a dead worker's messages to another (`ACK_WAIT_MS`), so nothing is
 * rejected because of a crash.
 */
export const WAITING_PAUSES_MS: readonly number[] = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000];
/** Enough to see what came; a message at the broker's size limit would not fit with its reason. */
const KEPT_BYTES = 65_536;

/**
 * The one place that decides what the broker hears of a message: done, again later, or rejected. Returns which: one that
 * has waited long enough is rejected.
 */
export async function settle(
  connection: NatsConnection,
  log: Logger,
  message: JsMsg,
  verdict: Verdict,
  pausesMs: readonly number[],
): Promise<Verdict['outcome']> {
  switch (verdict.outcome) {
    case 'applied':
      message.ack();
      return 'applied';
    case 'rejected':
      await reject(connection, log, message, verdict.reason, verdict.detail);
      return 'rejected';
    case 'waiting': {
      const pauseMs = pausesMs[message.info.deliveryCount - 1];
      if (pauseMs === undefined) {
        await reject(connection, log, message, verdict.reason, verdict.detail);
        return 'rejected';
      }
      message.nak(pauseMs);
      return 'waiting';
    }
  }
}

/** Keeps the message in `ingest.rejected` with its reason, then takes it out of the way. Throws when it is not kept. */
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
  await jetstream(connection).publish(INGEST_REJECTED_SUBJECT, message.data.subarray(0, KEPT_BYTES), {
    headers: rejection,
    // The time tells apart equal sequences of a stream that was lost and made anew.
    msgID: `${stream}:${streamSequence}:${timestampNanos}`,
  });
  log.warn({ reason, detail, subject: message.subject, streamSequence }, 'ingest.rejected');
  // Not term(reason): nats-server 2.9 ignores a term that carries a reason, and the message would come again.
  message.ack();
}
