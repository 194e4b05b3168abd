import type { JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '../../src/shared/bus/connect.ts';
import { ensureConsumer } from '../../src/shared/bus/streams.ts';
import type { ConsumerDefinition } from '../../src/shared/bus/topology.ts';
import type { Logger } from '../../src/shared/log.ts';
import { wait } from '../../src/shared/loop.ts';
import type { LoopPulse } from '../../src/shared/loop-pulse.ts';
import { announcedEventId } from './announced-event.ts';
import type { Counters } from '../telemetry/counters.ts';
import type { FanOutResult } from './fan-out-events.ts';
import { messageBatches } from './message-batches.ts';

export interface ConsumeDependencies {
  connection: NatsConnection;
  /** Makes the delivery rows of events and returns after the commit. */
  fanOut(eventIds: readonly string[]): Promise<FanOutResult>;
  counters: Counters;
  log: Logger;
}

/** Messages on their way to one fan-out; a public event multiplies with every endpoint, so few at once. */
const BATCH_MAX = 100;
/** The server is asked for messages this often; a lost stream or consumer is noticed within it. */
const PULL_EXPIRES_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 5_000;

/**
 * One session of a durable consumer: makes sure that the consumer exists, then fans out what arrives
 * until the signal aborts or the session breaks (its stream was deleted, the server lost its store). The caller
 * starts the next one. Messages are acknowledged after the fan-out committed, with a plain ack: if that gets
 * lost the message comes again and finds its event done already.
 */
export async function consumeSession(
  { connection, fanOut, counters, log }: ConsumeDependencies,
  definition: ConsumerDefinition,
  signal: AbortSignal,
  pulse: LoopPulse,
): Promise<void> {
  const consumer = await ensureConsumer(connection, definition);
  const messages = await consumer.consume({
    max_messages: 2 * BATCH_MAX,
    expires: PULL_EXPIRES_MS,
    abort_on_missing_resource: true,
  });
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) return;
    for await (const batch of pulse.restBetween(messageBatches(messages, BATCH_MAX))) {
      await fanOutMessages(batch, { fanOut, counters, log }, signal, pulse);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    messages.stop();
  }
}

async function fanOutMessages(
  messages: readonly JsMsg[],
  { fanOut, counters, log }: Omit<ConsumeDependencies, 'connection'>,
  signal: AbortSignal,
  pulse: LoopPulse,
): Promise<void> {
  counters.messages += messages.length;
  const announced: { message: JsMsg; eventId: string }[] = [];
  for (const message of messages) {
    const eventId = announcedEventId(message);
    if (eventId === null) park(message, 'no event id in Nats-Msg-Id', { counters, log });
    else announced.push({ message, eventId });
  }
  if (announced.length === 0) return;
  const result = await persistently(
    () => fanOut([...new Set(announced.map(({ eventId }) => eventId))]),
    log,
    signal,
    pulse,
  );
  if (result === null) return;
  counters.fannedOutDeliveries += result.deliveries;
  const unknown = new Set(result.unknownIds);
  for (const { message, eventId } of announced) {
    if (unknown.has(eventId)) park(message, `no event ${eventId}`, { counters, log });
    else message.ack();
  }
}

/**
 * Ends a message that can never be fanned out. It stays in the stream for inspection (by sequence) until the
 * stream's age limit, and blocks nothing.
 */
function park(
  message: JsMsg,
  reason: string,
  { counters, log }: Pick<ConsumeDependencies, 'counters' | 'log'>,
): void {
  counters.poisonMessages += 1;
  log.error({ subject: message.subject, streamSequence: message.seq, reason }, 'message.parked');
  // Without the reason: nats-server 2.9 takes a `+TERM` with text for no acknowledgement at all (measured).
  message.term();
}

/** Repeats until the database is back; null when the signal ends it. Unacknowledged messages come again. */
async function persistently<Value>(
  work: () => Promise<Value>,
  log: Logger,
  signal: AbortSignal,
  pulse: LoopPulse,
): Promise<Value | null> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
    try {
      return await work();
    } catch (err) {
      log[pauseMs === FIRST_PAUSE_MS ? 'error' : 'debug']({ err, retryInMs: pauseMs }, 'fan_out.failed');
      await pulse.rest(wait(pauseMs, signal));
    }
  }
  return null;
}
