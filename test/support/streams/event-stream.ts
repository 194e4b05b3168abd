import { recordMessage } from '../contract-coverage/messages.ts';
import { atEnd } from '../run/cleanup.ts';

/** A received message with the fields of its server-sent event. */
export interface ReceivedMessage {
  event: string;
  id?: string;
  topic?: string;
  snapshot?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every kind.
  data?: any;
  // biome-ignore lint/suspicious/noExplicitAny: control messages have fields of their own.
  [field: string]: any;
}

/** A client of server-sent events that stores all messages. */
export interface EventStream {
  response: Response;
  /** All messages so far, heartbeats too. */
  messages: ReceivedMessage[];
  /** The last `id` of a server-sent event, which `EventSource` would send. */
  lastEventId(): string | undefined;
  /** Resolves with the first message that fits, including earlier ones. Rejects when the stream ends without
   * one. */
  find(fits: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  close(): void;
}

/** Opens a stream and reads it until it ends or `close`. */
export async function openEventStream(
  url: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const abort = new AbortController();
  atEnd(async () => abort.abort());
  const response = await fetch(url, { headers, signal: abort.signal });
  const messages: ReceivedMessage[] = [];
  let lastId: string | undefined;
  let isOver = !response.ok;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const all = waiting;
    waiting = [];
    for (const one of all) one();
  };
  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const frames = text.split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) {
          const { message, id } = parseFrame(frame);
          messages.push(message);
          recordMessage(message);
          lastId = id ?? lastId;
        }
        wake();
      }
    } catch (error) {
      if (!abort.signal.aborted && (error as { code?: string }).code !== 'ECONNRESET') throw error;
    } finally {
      isOver = true;
      wake();
    }
  }
  const ended = response.ok ? read() : Promise.resolve();
  return {
    response,
    messages,
    lastEventId: () => lastId,
    async find(fits) {
      for (let at = 0; ; ) {
        for (; at < messages.length; at += 1) {
          const message = messages[at];
          if (message !== undefined && fits(message)) return message;
        }
        if (isOver) throw new Error('the stream ended before such a message came');
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
    ended,
    close: () => abort.abort(),
  };
}

function parseFrame(frame: string): { message: ReceivedMessage; id: string | undefined } {
  const fields = new Map(
    frame.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const message = JSON.parse(fields.get('data') ?? 'null') as ReceivedMessage;
  if (fields.get('event') !== message.event)
    throw new Error(`the framing says ${fields.get('event')}: ${frame}`);
  if (fields.get('id') !== message.id) throw new Error(`the framing has another id: ${frame}`);
  const waitMs: number | undefined = message.retryMs ?? message.retryAfterMs;
  if (fields.get('retry') !== waitMs?.toString()) throw new Error(`the framing has another wait: ${frame}`);
  return { message, id: fields.get('id') };
}
