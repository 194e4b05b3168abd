import { wait } from '../../src/shared/loop.ts';

/** Something that is used up or grows old, and is then made anew; known by its id. */
export interface Perishable {
  isFresh(id: string): Promise<boolean>;
  make(): Promise<string>;
}

const RETRY_MS = 2_000;

/** Replaces it whenever it is no longer fresh. `onNew` gets the new id, `onTrouble` the reason when none could be made;
 * it is tried again. Ends with the signal. */
export async function keepFresh(
  perishable: Perishable,
  { first, everyMs }: { first: string; everyMs: number },
  onNew: (id: string) => void,
  onTrouble: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let id = first;
  let isTroubled = false;
  while (!signal.aborted) {
    try {
      if (!(await perishable.isFresh(id))) {
        id = await perishable.make();
        onNew(id);
      }
      isTroubled = false;
    } catch (error) {
      if (!isTroubled && !signal.aborted) onTrouble(error instanceof Error ? error.message : String(error));
      isTroubled = true;
    }
    await wait(isTroubled ? RETRY_MS : everyMs, signal);
  }
}
