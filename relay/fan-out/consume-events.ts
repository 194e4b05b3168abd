import type { Consumer, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '../../src/shared/bus/connect.ts';
import { consume } from '../../src/shared/bus/consume.ts';
import { ensureConsumer } from '../../src/shared/bus/durable-consumers.ts';
import { isApiFailure } from '../../src/shared/bus/managers.ts';
import { type ConsumerDefinition, consumers, EVENT_STREAM } from '../../src/shared/bus/topology.ts';
import type { Logger } from '../../src/shared/log.ts';
import { BROKER_PAUSE_MS, runLoop } from '../../src/shared/loop.ts';
import type { LoopPulse } from '../../src/shared/loop-pulse.ts';
import { RunningWork } from '../../src/shared/running-work.ts';
import type { Audience } from '../model/event.ts';
import { FIRST_PAUSE_MS, retryUntilAborted } from '../model/retry-until-aborted.ts';
import type { Counters } from '../telemetry/counters.ts';
import type { FanOutCoordinator } from './coordinator.ts';

export interface ConsumeDependencies {
  connection: NatsConnection;
  coordinator: FanOutCoordinator;
  counters: Counters;
  log: Logger;
}

/** Most messages of one fan-out. They are few, because a public event multiplies with every endpoint. */
const BATCH_MAX = 100;
/** Most batches in progress. While the events of one are sent and written, the next ones are taken. */
const BATCHES_MAX = 8;
const SESSION_PAUSE_MS = 250;

/** Two consumers, so that account events never wait for a public event with 10,000 endpoints. */
export function consumeLoops(dependencies: ConsumeDependencies, signal: AbortSignal): Promise<void>[] {
  const { counters } = dependencies;
  const arrival = new StreamArrival(dependencies.log);
  const audiences = [
    { audience: 'public', definition: consumers.relayPublic },
    { audience: 'account', definition: consumers.relayAccount },
  ] as const;
  return audiences.map(({ audience, definition }) => {
    const log = dependencies.log.child({ consumer: definition.name });
    return runLoop({
      name: definition.name,
      log,
      signal,
      idleMs: SESSION_PAUSE_MS,
      longestPauseMs: BROKER_PAUSE_MS,
      async step(stepSignal, pulse) {
        const consumer = await arrival.wait(() => ensureConsumer(dependencies.connection, definition));
        if (consumer === null) return false;
        await consumeSession({ ...dependencies, log }, { audience, definition, consumer }, stepSignal, pulse);
        if (!stepSignal.aborted) {
          counters.endedSessions += 1;
          log.warn('consumer.session_ended');
        }
        return false;
      },
    });
  });
}

/** Until the first worker has made the stream, a relay waits for it. After that, its absence is a failure. */
class StreamArrival {
  readonly #log: Logger;
  #isAwaited = false;
  #wasThere = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The consumer; null while its stream has never existed. */
  async wait(ensure: () => Promise<Consumer>): Promise<Consumer | null> {
    try {
      const consumer = await ensure();
      this.#wasThere = true;
      return consumer;
    } catch (error) {
      if (this.#wasThere || !isApiFailure(error, 'streamNotFound')) throw error;
      if (!this.#isAwaited) this.#log.info({ stream: EVENT_STREAM }, 'consumer.stream_awaited');
      this.#isAwaited = true;
      return null;
    }
  }
}

/**
 * One session of a durable consumer: fans out the events of messages until the signal aborts or the session breaks,
 * because its stream was deleted or the server lost its store. A message is acknowledged after the fan-out is
 * committed, with a plain ack. If the ack is lost, the message comes again, and its event is already done.
 */
async function consumeSession(
  dependencies: ConsumeDependencies,
  {
    audience,
    definition,
    consumer,
  }: { audience: Audience; definition: ConsumerDefinition; consumer: Consumer },
  signal: AbortSignal,
  pulse: LoopPulse,
): Promise<void> {
  const messages = await consume(dependencies.connection, consumer, definition, 2 * BATCH_MAX);
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop, { once: true });
  const inProgress = new RunningWork();
  let failure: { error: unknown } | null = null;
  const begin = (batch: readonly JsMsg[]) => {
    const work = fanOutMessages(batch, dependencies, signal, pulse);
    inProgress.add(
      work.catch((error: unknown) => {
        failure ??= { error };
        stop();
      }),
    );
  };
  try {
    if (signal.aborted) return;
    for await (const batch of pulse.restBetween(messageBatches(messages, BATCH_MAX))) {
      await pulse.rest(dependencies.coordinator.room(audience));
      begin(batch);
      if (inProgress.size === BATCHES_MAX) await inProgress.oneEnded();
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
    await inProgress.ended();
  }
  if (failure !== null) throw (failure as { error: unknown }).error;
}

async function fanOutMessages(
  messages: readonly JsMsg[],
  { coordinator, counters, log }: ConsumeDependencies,
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
  const eventIds = [...new Set(announced.map(({ eventId }) => eventId))];
  // Repeats until the database is back. Messages without an ack come again.
  const result = await retryUntilAborted(
    () => coordinator.fanOutAnnounced(eventIds),
    (err, retryInMs) =>
      log[retryInMs === FIRST_PAUSE_MS ? 'error' : 'debug']({ err, retryInMs }, 'fan_out.failed'),
    signal,
    (pause) => pulse.rest(pause),
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
 * Ends a message that can never be fanned out. It stays in the stream for inspection, by its sequence, until the age
 * limit of the stream, and blocks nothing.
 */
function park(
  message: JsMsg,
  reason: string,
  { counters, log }: Pick<ConsumeDependencies, 'counters' | 'log'>,
): void {
  counters.poisonMessages += 1;
  log.error({ subject: message.subject, streamSequence: message.seq, reason }, 'message.parked');
  // Without the reason: nats-server 2.9 ignores a `+TERM` with text (measured).
  message.term();
}

/**
 * Groups the messages that have arrived into batches of at most `max`, and waits only for the first message of a batch.
 * Ends when the iterator ends.
 */
export async function* messageBatches<Message>(
  messages: AsyncIterable<Message>,
  max: number,
): AsyncGenerator<Message[], void> {
  const iterator = messages[Symbol.asyncIterator]();
  let next = iterator.next();
  for (;;) {
    const batch: Message[] = [];
    let result: IteratorResult<Message> | undefined = await next;
    while (result !== undefined && result.done !== true) {
      batch.push(result.value);
      next = iterator.next();
      result = batch.length < max ? await Promise.race([next, nextTurn()]) : undefined;
    }
    // Nobody waits for `next` while the reader has the batch. If it rejects meanwhile, the reader gets the error when it
    // asks for more.
    next.catch(() => {});
    if (batch.length > 0) yield batch;
    if (result?.done === true) return;
  }
}

function nextTurn(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(() => resolve(undefined)));
}

/** Set by the publisher of the outbox; JetStream drops a second copy within its duplicate window. */
const EVENT_ID_HEADER = 'Nats-Msg-Id';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The id of the event that a bus message announces, or null if it announces none. The payload is not read, because
 * deliveries come from Postgres.
 */
export function announcedEventId(message: Pick<JsMsg, 'headers'>): string | null {
  const id = message.headers?.get(EVENT_ID_HEADER) ?? '';
  return UUID.test(id) ? id : null;
}
