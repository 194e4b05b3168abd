import { wait } from '../../src/shared/loop.ts';

/** A resource that is used up or expires and is then replaced by a new one. Known by its id. */
export interface Renewable {
  isFresh(id: string): Promise<boolean>;
  /** Creates a new one. Returns its id. */
  create(): Promise<string>;
}

const RETRY_MS = 2_000;

/** Replaces the resource whenever it is no longer fresh, until the signal aborts. `onNew` gets the new id. `onFailure`
 * gets the reason of the first of a series of failures; each failure is retried. */
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
