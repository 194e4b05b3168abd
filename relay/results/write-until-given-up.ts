import { wait } from '../../src/shared/loop.ts';

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 2_000;

/**
 * Writes until that succeeds, with growing pauses; null when `giveUp` aborts before. Each failure is reported
 * with the pause after it.
 */
export async function writeUntilGivenUp<Written>(
  write: () => Promise<Written>,
  onFailure: (err: unknown, retryInMs: number) => void,
  giveUp: AbortSignal,
): Promise<Written | null> {
  for (let pauseMs = FIRST_PAUSE_MS; !giveUp.aborted; pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
    try {
      return await write();
    } catch (err) {
      onFailure(err, pauseMs);
      await wait(pauseMs, giveUp);
    }
  }
  return null;
}
