import type { LogPosition } from '../cursor.ts';
import type { LogWindow } from '../log/window.ts';

/**
 * The position that following has reached, with the part of the log that is in memory. Every message up to
 * `id` was sent.
 */
export interface Place extends LogPosition {
  /**
   * The last entry up to `id`, which cursors name: on a promoted standby it shows whether the log got so far.
   * `id` itself while no entry was read.
   */
  entryId: bigint;
  /** Ids below belong to an earlier timeline. */
  timelineStart: bigint;
  window: LogWindow;
  provenThrough: Date | null;
  /** When the log was last read to its end. */
  readAt: Date;
}
