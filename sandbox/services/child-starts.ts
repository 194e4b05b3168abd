import { channel } from 'node:diagnostics_channel';

/** Says of each child how long it took to be ready, as a `ChildStart`. Kept here: a channel that nothing refers to may be
 * collected with its subscribers. */
export const childStarts = channel('launchwire.child-starts');

export interface ChildStart {
  readonly name: string;
  readonly durationMs: number;
}
