import { Problem } from '../../shared/problem.ts';

/** A place in the log (contract/streams#cursor). */
export interface LogPosition {
  /** Epoch of the database that holds the log. */
  epoch: string;
  /** Every entry up to this id was read. */
  id: bigint;
}

const FORM = /^1\.([0-9a-f]{12})\.(0|[1-9][0-9]{0,17})$/;

export function formatCursor({ epoch, id }: LogPosition): string {
  return `1.${epoch}.${id}`;
}

/** Throws `cursor_invalid` for a text that no stream has sent. */
export function parseCursor(text: string): LogPosition {
  const match = FORM.exec(text);
  if (match === null) throw new Problem('cursor_invalid');
  return { epoch: match[1] ?? '', id: BigInt(match[2] ?? '') };
}
