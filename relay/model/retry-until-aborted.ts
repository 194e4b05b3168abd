import { wait } from '../../src/shared/loop.ts';

export const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 2_000;

/**
 * Repeats the work until it succeeds, with growing pauses. Null if the signal aborts before.
 *
 * @param onFailure called with each failure and the pause after it
 */
export async function retryUntilAborted<Value>(
  work: () => Promise<Value>,
  onFailure: (err: unknown, retryInMs: number) => void,
  signal: AbortSignal,
  rest: (pause: Promise<void>) => Promise<void> = (pause) => pause,
): Promise<Value | null> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
    try {
      return await work();
    } catch (err) {
      onFailure(err, pauseMs);
      await rest(wait(pauseMs, signal));
    }
  }
  return null;
}
