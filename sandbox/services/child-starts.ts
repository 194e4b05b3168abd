/** The diagnostics channel that says how long each child took to be ready. */
export const CHILD_STARTS = 'launchwire.child-starts';

/** A message of the channel. */
export interface ChildStart {
  readonly name: string;
  readonly durationMs: number;
}
