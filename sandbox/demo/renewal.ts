import { wait } from '../../src/shared/loop.ts';

/** A resource that is replaced by a new one when it is used or has expired. */
export interface Renewable {
  isFresh(id: string): Promise<boolean>;
  /** Creates a new one. Returns its id. */
  create(): Promise<string>;
}

const RETRY_MS = 2_000;

/** Replaces the resource when it is no longer fresh, until the signal aborts. `onNew` gets each new id. Failures are
 * retried; `onFailure` gets the reason of the first in a row. */
export async function renewWhenStale(
  renewable: Renewable,
  { first, everyMs }: { first: string; everyMs: number },
  onNew: (id: string) => void,
  onFailure: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let id = first;
  let isFailing = false;
  while (!signal.aborted) {
    try {
      if (!(await renewable.isFresh(id))) {
        id = await renewable.create();
        onNew(id);
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing && !signal.aborted) onFailure(error instanceof Error ? error.message : String(error));
      isFailing = true;
    }
    await wait(isFailing ? RETRY_MS : everyMs, signal);
  }
}
