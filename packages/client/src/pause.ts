/** A longer timer would fire at once. */
export const TIMER_MAX_MS = 2 ** 31 - 1;

/** Resolves after `delayMs`, or rejects with the reason of the signal. */
export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(delayMs, TIMER_MAX_MS),
    );
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** A signal that fires with `outer`, or after `timeoutMs`; `end` releases the timer and the listener. */
export function deadline(timeoutMs: number, outer?: AbortSignal) {
  const controller = new AbortController();
  const onAbort = () => controller.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new Error(`no complete response within ${timeoutMs} ms`));
  }, timeoutMs);
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end(): void {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onAbort);
    },
  };
}
