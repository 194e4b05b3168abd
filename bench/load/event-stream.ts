/**
 * A stream of server-sent events whose messages are parsed, for a few streams; many are opened by
 * `openStreamConnections`.
 */
export interface EventStream {
  /** Rejects when the stream ends or fails before it is closed. */
  broken: Promise<never>;
  close(): void;
}

/** Opens a stream and waits for its first bytes. Calls `onEvent` for each message with its name and its parsed data. */
export async function openEventStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  onEvent: (name: string, data: unknown) => void,
): Promise<EventStream> {
  const stopped = new AbortController();
  const response = await fetch(url, {
    headers: { ...headers, accept: 'text/event-stream' },
    signal: stopped.signal,
  });
  if (response.status !== 200 || response.body === null)
    throw new Error(`the stream was refused with ${response.status}: ${await response.text()}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const broken = Promise.withResolvers<never>();
  // Whoever waits for something on the stream hears of it.
  broken.promise.catch(() => {});
  let text = '';
  const read = async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error('the stream ended');
      text += value;
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const name = /^event: (.*)$/m.exec(message)?.[1];
        const data = /^data: (.*)$/m.exec(message)?.[1];
        if (name !== undefined && data !== undefined) onEvent(name, JSON.parse(data));
      }
    }
  };
  read().catch(broken.reject);
  return { broken: broken.promise, close: () => stopped.abort() };
}
