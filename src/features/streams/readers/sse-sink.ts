import { joinFrames } from '../messages/sse-frame.ts';
import type { StreamMessage } from '../messages/stream-message.ts';
import type { EndReason, Sink } from './reader.ts';

/**
 * Bun writes 256 bytes and more to the connection at once, and keeps fewer until `flush`. A flush costs a
 * tenth of a write even without kept bytes (`test/integration/stream-sinks.test.ts`).
 */
const WRITTEN_AT_ONCE = 512;

/** The controller that Bun gives the source of a `direct` stream. */
interface DirectController {
  /** A promise while the connection is full; the bytes are kept either way. */
  write(bytes: Uint8Array): number | Promise<number>;
  flush(): unknown;
  end(): unknown;
}

/**
 * A response of server-sent events. `body` goes into the response; messages may be sent before it is read.
 *
 * @param onDrained when the connection can take more
 * @param onGone when the client has gone
 */
export function createSseSink({ onDrained, onGone }: { onDrained(): void; onGone(): void }) {
  let controller: DirectController | null = null;
  let isOver = false;
  const early: Uint8Array[] = [];
  let over: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });

  function write(bytes: Uint8Array): boolean {
    if (isOver) return true;
    if (controller === null) {
      early.push(bytes);
      return true;
    }
    const written = controller.write(bytes);
    if (bytes.byteLength < WRITTEN_AT_ONCE) controller.flush();
    if (!(written instanceof Promise)) return true;
    // A broken connection rejects; the end of the stream itself reports that the client has gone.
    written.then(onDrained, onGone);
    return false;
  }

  function gone(): void {
    if (isOver) return;
    isOver = true;
    over();
    onGone();
  }

  const sink: Sink = {
    send: (messages) => write(joinFrames(messages)),
    end(_reason: EndReason, last: StreamMessage | null) {
      if (isOver) return;
      if (last !== null) write(last.frame);
      isOver = true;
      controller?.end();
      over();
    },
  };
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: 'direct',
    // The response lasts until this promise settles.
    async pull(opened) {
      controller = opened as DirectController;
      for (const bytes of early.splice(0)) void opened.write(bytes);
      opened.flush();
      if (isOver) opened.end();
      else await ended;
    },
    cancel: gone,
  };
  return { sink, body: new ReadableStream(source), gone };
}
