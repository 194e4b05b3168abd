import type { Channel } from '../channel.ts';
import type { TradeFacts } from './filter-index.ts';

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
  readonly #cursor: string | null;
  readonly #retryMs: number | null;
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
    this.#cursor = cursor;
    this.#retryMs = retryMs;
  }

  /** As a server-sent event. */
  get frame(): Uint8Array {
    const id = this.#cursor === null ? '' : `id: ${this.#cursor}\n`;
    const retry = this.#retryMs === null ? '' : `retry: ${this.#retryMs}\n`;
    this.#frame ??= Buffer.from(`event: ${this.event}\n${id}${retry}data: ${this.text}\n\n`);
    return this.#frame;
  }

  /** Approximate number of bytes on the wire; always the same for a message. */
  get size(): number {
    return this.text.length;
  }
}

let lastJoined: { messages: readonly StreamMessage[]; bytes: Uint8Array } = {
  messages: [],
  bytes: new Uint8Array(),
};

/**
 * Messages as server-sent events, in one buffer, which is made once for consecutive readers of the same
 * messages.
 */
export function framesOf(messages: readonly StreamMessage[]): Uint8Array {
  if (messages.length === 1 && messages[0] !== undefined) return messages[0].frame;
  const { messages: last } = lastJoined;
  const isSame = last.length === messages.length && messages.every((message, at) => message === last[at]);
  if (!isSame)
    lastJoined = { messages: [...messages], bytes: Buffer.concat(messages.map(({ frame }) => frame)) };
  return lastJoined.bytes;
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
