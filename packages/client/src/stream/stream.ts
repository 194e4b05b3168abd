import { ConnectionError } from '../errors.ts';
import { pause } from '../pause.ts';
import type { Transport } from '../request.ts';
import { openStream } from './connection.ts';
import { type EndMessage, type StreamMessage, type StreamSignal, topicKinds } from './messages.ts';
import { delayAfter, delayOfEnd, type Position } from './position.ts';
import type { StreamTopic } from './topics.ts';

export interface StreamParameters {
  /** 1 to 100 topics, for example `trades:{mint}` or `intents`. */
  topics: readonly StreamTopic[];
  /** Continues after the message with this `id`; good for at least 15 minutes. */
  cursor?: string | undefined;
}

export interface StreamOptions {
  /** Ends the stream: the loop throws the reason of the signal. Leaving the loop ends it as well. */
  signal?: AbortSignal | undefined;
}

/**
 * The messages of topics. A broken connection is reopened after the last message, so histories come without a gap or a
 * duplicate; a `gap` message names topics that cannot be continued. Throws the problem of a refusal. `onBreak` is
 * called when a connection was lost, before the next one.
 */
export async function* stream(
  transport: Transport,
  { topics, cursor }: StreamParameters,
  { signal }: StreamOptions = {},
  onBreak?: () => void,
): AsyncGenerator<StreamMessage | StreamSignal, void, undefined> {
  const position: Position = { cursor, failures: 0, wasOpen: false, retryMs: 0 };
  for (;;) {
    signal?.throwIfAborted();
    let delayMs: number;
    try {
      delayMs = yield* follow(openStream(transport, topics, position.cursor, signal), position);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      delayMs = delayAfter(error, position, transport);
    }
    onBreak?.();
    await pause(delayMs, signal);
  }
}

/** Yields the messages of one connection. Returns the milliseconds until the next one may be opened. */
async function* follow(
  events: AsyncIterable<{ data: string }>,
  position: Position,
): AsyncGenerator<StreamMessage | StreamSignal, number, undefined> {
  for await (const { data } of events) {
    const message = JSON.parse(data) as StreamMessage | StreamSignal | EndMessage;
    position.wasOpen = true;
    position.failures = 0;
    if (message.event === 'end') {
      // An end without a cursor keeps the last one: the service continues from it, or reports a gap.
      position.cursor = message.cursor ?? position.cursor;
      return delayOfEnd(message);
    }
    if (message.event === 'ready') position.retryMs = message.retryMs;
    // A gap has no cursor of its own: until the next cursor, a loss is reported again from the same place.
    else if (message.event !== 'gap') position.cursor = message.id ?? position.cursor;
    yield message;
  }
  throw new ConnectionError('connection_failed', 'the stream ended without its last message');
}

/** Without heartbeats, and without kinds of a newer service. */
export async function* messagesOnly(
  messages: AsyncIterable<StreamMessage | StreamSignal>,
): AsyncGenerator<StreamMessage, void, undefined> {
  for await (const message of messages) if (topicKinds.has(message.event)) yield message as StreamMessage;
}
