import type { LogPosition } from '../cursor.ts';
import type { LogWindow } from '../log/window.ts';

/**
 * The position that following has reached, with the part of the log that is in memory. Every message up to
 * `id` was sent.
 */
export interface Place extends LogPosition {
  window: LogWindow;
  provenThrough: Date | null;
  /** When the log was last read to its end. */
  readAt: Date;
}
