import type { Channel } from '../channel.ts';
import type { TradeFacts } from './filter-index.ts';
import { sseFrame } from './sse-frame.ts';

/** A message that is serialised once, whatever the number of its readers. */
export class StreamMessage {
  readonly event: string;
  /** Its position in the log: 0 for a message that moves no cursor. */
  readonly place: bigint;
  readonly channels: readonly Channel[];
  /** A reader needs only the newest message with the same key; null for messages of a history. */
  readonly stateKey: string | null;
  /** What filters look at; null for other messages than a trade or reversal. */
  readonly trade: TradeFacts | null;
  /** One JSON object. */
  readonly text: string;
  /** Null for a message that moves no cursor. */
  readonly cursor: string | null;
  /** How long an `EventSource` waits before its next connection, from this message on. */
  readonly retryMs: number | null;
  #frame: Uint8Array | undefined;

  constructor({
    event,
    text,
    place = 0n,
    cursor = null,
    channels = [],
    stateKey = null,
    trade = null,
    retryMs = null,
  }: {
    event: string;
    text: string;
    place?: bigint;
    cursor?: string | null;
    channels?: readonly Channel[];
    stateKey?: string | null;
    trade?: TradeFacts | null;
    retryMs?: number | null;
  }) {
    this.event = event;
    this.text = text;
    this.place = place;
    this.channels = channels;
    this.stateKey = stateKey;
    this.trade = trade;
    this.cursor = cursor;
    this.retryMs = retryMs;
  }

  /** As a server-sent event. */
  get frame(): Uint8Array {
    this.#frame ??= sseFrame(this);
    return this.#frame;
  }

  /** Approximate number of bytes on the wire; always the same for a message. */
  get size(): number {
    return this.text.length;
  }
}

/**
 * The text of a message of a topic.
 * @param data JSON text
 */
export function topicText(
  {
    event,
    cursor,
    topic,
    isSnapshot = false,
  }: { event: string; cursor: string | null; topic: string; isSnapshot?: boolean },
  data: string,
): string {
  const id = cursor === null ? '' : `,"id":"${cursor}"`;
  const snapshot = isSnapshot ? ',"snapshot":true' : '';
  return `{"event":"${event}"${id},"topic":"${topic}"${snapshot},"data":${data}}`;
}

/**
 * A message about the stream itself.
 * @param retryMs how long an `EventSource` waits before its next connection, from this message on
 */
export function controlMessage(
  event: string,
  fields: Readonly<Record<string, unknown>>,
  cursor: string | null = null,
  retryMs: number | null = null,
): StreamMessage {
  const text = JSON.stringify({ event, ...(cursor === null ? {} : { id: cursor }), ...fields });
  return new StreamMessage({ event, text, cursor, retryMs });
}
