import { ConnectionError, isLaunchwireError } from '../errors.ts';
import { pause } from '../pause.ts';
import type { Transport } from '../request.ts';
import { retryDelay } from '../retry.ts';
import { asConnectionError, openStream } from './connection.ts';
import { type EndMessage, type StreamMessage, type StreamSignal, topicKinds } from './messages.ts';

export interface StreamParameters {
  /** 1 to 100 topics, for example `trades:{mint}` or `intents`. */
  topics: readonly string[];
  /** Continues after the message with this `id`; good for at least 15 minutes. */
  cursor?: string | undefined;
}

export interface StreamOptions {
  /** Ends the stream: the loop throws the reason of the signal. Leaving the loop ends it as well. */
  signal?: AbortSignal | undefined;
}

const MAX_DELAY_MS = 30_000;
/** Between two connections, whatever the service says. */
const MIN_DELAY_MS = 100;

/** Where a stream stands between its connections. */
interface Position {
  cursor: string | undefined;
  /** Connections in a row that brought no message. */
  failures: number;
  wasOpen: boolean;
  /** What the service asks to wait for when a connection breaks. */
  retryMs: number;
}

/**
 * The messages of topics. A connection that breaks is opened again after the last message, so histories come without a
 * gap and without a double; what cannot be continued is said by a `gap`. Throws the problem of a refusal. `onBreak` is
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

/** Hands on the messages of one connection. Returns the milliseconds until the next one may be opened. */
async function* follow(
  events: AsyncIterable<{ data: string }>,
  position: Position,
): AsyncGenerator<StreamMessage | StreamSignal, number, undefined> {
  for await (const { data } of events) {
    const message = JSON.parse(data) as StreamMessage | StreamSignal | EndMessage;
    position.wasOpen = true;
    position.failures = 0;
    if (message.event === 'end') {
      // One that names no place leaves the last one that came: the service continues from it, and reports a gap where it cannot.
      position.cursor = message.cursor ?? position.cursor;
      return Math.min(Math.max(message.retryAfterMs, MIN_DELAY_MS), MAX_DELAY_MS);
    }
    if (message.event === 'ready') position.retryMs = Math.min(message.retryMs, MAX_DELAY_MS);
    // After a gap there is nothing to continue from, until the next message that moves the cursor.
    else if (message.event === 'gap') position.cursor = undefined;
    else position.cursor = message.id ?? position.cursor;
    yield message;
  }
  throw new ConnectionError('connection_failed', 'the stream ended without its last message');
}

/** Once a stream was open, it is opened again for as long as the loop runs; a refusal ends it at any time. */
function delayAfter(error: unknown, position: Position, { retries }: Transport): number {
  const known = isLaunchwireError(error) ? error : asConnectionError(error);
  const maxRetries = position.wasOpen ? Number.POSITIVE_INFINITY : retries.maxRetries;
  const limits = { ...retries, maxRetries, maxBackOffMs: MAX_DELAY_MS, maxDelayMs: MAX_DELAY_MS };
  const delayMs = retryDelay(known, position.failures, limits, Math.random());
  if (delayMs === undefined) throw known;
  position.failures += 1;
  return Math.max(delayMs, position.retryMs);
}

/** Without the messages that only say that the connection is alive, and kinds of a newer service. */
export async function* messagesOnly(
  messages: AsyncIterable<StreamMessage | StreamSignal>,
): AsyncGenerator<StreamMessage, void, undefined> {
  for await (const message of messages) if (topicKinds.has(message.event)) yield message as StreamMessage;
}
