import { messageOf, refusalOf } from '../attempt.ts';
import { ConnectionError } from '../errors.ts';
import type { Transport } from '../request.ts';
import { readEventStream, type ServerSentEvent } from './event-stream.ts';

/** A heartbeat comes every second. By the contract, five seconds without one end a connection. */
const SILENCE_MS = 10_000;
const OPENING_TIMEOUT_MS = 30_000;

/**
 * The messages of one connection, until it ends or breaks. Throws the problem of a refusal, a `ConnectionError` when it
 * breaks or falls silent, or the reason of the signal.
 */
export async function* openStream(
  { baseUrl, apiKey, fetch }: Pick<Transport, 'baseUrl' | 'apiKey' | 'fetch'>,
  topics: readonly string[],
  cursor: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const url = new URL(`${baseUrl}/stream`);
  url.searchParams.set('topics', topics.join(','));
  // In the address, not as Last-Event-ID: a browser then needs no preflight.
  if (cursor !== undefined) url.searchParams.set('cursor', cursor);
  const watch = watchSilence(signal);
  try {
    watch.expectWithin(OPENING_TIMEOUT_MS);
    const headers = {
      Accept: 'text/event-stream',
      ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
    };
    const response = await fetch(url.href, { headers, signal: watch.signal, redirect: 'manual' });
    if (!response.ok || response.body === null)
      throw refusalOf('openStream', response, await response.text());
    watch.expectWithin(SILENCE_MS);
    for await (const message of readEventStream(chunksOf(response.body, watch))) yield message;
  } catch (error) {
    throw watch.isSilent()
      ? new ConnectionError('timeout', `${url.origin}: the stream is silent`, error)
      : error;
  } finally {
    watch.end();
  }
}

type Watch = ReturnType<typeof watchSilence>;

/** The chunks of a body; each shows that the connection is alive. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  watch: Watch,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      watch.pause();
      yield value;
      watch.expectWithin(SILENCE_MS);
    }
  } finally {
    // Leaving the loop closes the connection; a broken one has nothing to close.
    await reader.cancel().catch(() => undefined);
  }
}

/** Aborts when nothing arrives in time. The reader's own time does not count. */
function watchSilence(outer: AbortSignal | undefined) {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSilent = false;
  const onAbort = () => controller.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });
  const pause = () => clearTimeout(timer);
  return {
    signal: controller.signal,
    isSilent: () => isSilent,
    pause,
    expectWithin(timeoutMs: number): void {
      pause();
      timer = setTimeout(() => {
        isSilent = true;
        controller.abort(new Error(`nothing arrived within ${timeoutMs} ms`));
      }, timeoutMs);
    },
    end(): void {
      pause();
      outer?.removeEventListener('abort', onAbort);
    },
  };
}

/** The error of a connection that broke, with what broke it as its cause. */
export function asConnectionError(error: unknown): ConnectionError {
  return new ConnectionError('connection_failed', `the stream broke: ${messageOf(error)}`, error);
}
