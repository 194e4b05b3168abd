/** Tells a wait which status its record had last. */
export type Saw = (record: { status: string }) => void;

/**
 * Runs a wait. When its signal ends it with a reason of the platform (`TimeoutError`, `AbortError`), the error has that
 * name and the reason as its `cause`, and says what was waited for and the status that was seen last. A reason of the
 * program is thrown as it is.
 */
export async function waiting<Result>(
  what: string,
  signal: AbortSignal | undefined,
  wait: (saw: Saw) => Promise<Result>,
): Promise<Result> {
  let last = 'its status was not read yet';
  try {
    return await wait(({ status }) => {
      last = status;
    });
  } catch (error) {
    if (!signal?.aborted || error !== signal.reason || !(error instanceof DOMException)) throw error;
    const told = new DOMException(`waiting for ${what} (${last}): ${error.message}`, error.name);
    throw Object.defineProperty(told, 'cause', { value: error, configurable: true, writable: true });
  }
}
