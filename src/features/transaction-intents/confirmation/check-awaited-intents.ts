import type { Database } from '../../../db/client.ts';

/** True while a submitted intent waits for its end. One statement, so that looking costs an idle worker next to nothing. */
export async function hasAwaitedIntents(db: Database): Promise<boolean> {
  const [row] = await db<{ isAny: boolean }[]>`select exists (select from intent_broadcasts) as is_any`;
  return row?.isAny === true;
}
