import { channel } from 'node:diagnostics_channel';

/** Reports as a `ChildStart` how long each child took to be ready. The constant keeps the channel and its subscribers
 * from being collected. */
export const childStarts = channel('launchwire.child-starts');

export interface ChildStart {
  readonly name: string;
  readonly durationMs: number;
}
