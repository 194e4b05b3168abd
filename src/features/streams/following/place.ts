import type { LogPosition } from '../cursor.ts';
import type { LogWindow } from '../log/window.ts';

/** Where following has come to, with the part of the log that is in memory: everything up to `id` was handed out. */
export interface Place extends LogPosition {
  window: LogWindow;
  provenThrough: Date | null;
  /** When the log was last read to its end. */
  readAt: Date;
}
