import { createHmac } from 'node:crypto';
import { equalConstantTime } from '../../shared/bytes.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { Problem } from '../../shared/problem.ts';

const VERSION = 1;
/** 128 bits of an HMAC-SHA256 are enough and keep cursors short. */
const TAG_BYTES = 16;
const { cursorLengthMin, cursorLengthMax } = publishedLimits;
const CURSOR_CHARACTERS = /^[A-Za-z0-9_-]+$/;

function hasCursorForm(cursor: string): boolean {
  const { length } = cursor;
  return length >= cursorLengthMin && length <= cursorLengthMax && CURSOR_CHARACTERS.test(cursor);
}

/** Signs positions of keyset pagination and binds them to the query that made them (contract/pagination#cursors). */
export interface Cursors {
  /**
   * @param position sort keys of the last row, as strings
   * @param binding operation id, path parameters and filters; not `limit`
   */
  sign(position: readonly string[], binding: readonly unknown[]): string;
  /**
   * Returns the position of a cursor. Throws `cursor_invalid` unless this deployment signed it for this
   * binding.
   */
  verify(cursor: string, binding: readonly unknown[], keyCount: number): string[];
}

/**
 * @param key signing key of 32 bytes, the same in every process of the deployment
 * @param previousKeys keys whose cursors are still valid
 */
export function createCursors(key: Uint8Array, ...previousKeys: readonly Uint8Array[]): Cursors {
  const tagUnder = (signingKey: Uint8Array, payload: Uint8Array, binding: readonly unknown[]) =>
    createHmac('sha256', signingKey)
      .update(JSON.stringify(binding))
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, TAG_BYTES);

  return {
    sign(position, binding) {
      const payload = Buffer.from(JSON.stringify([VERSION, ...position]));
      return Buffer.concat([tagUnder(key, payload, binding), payload]).toString('base64url');
    },
    verify(cursor, binding, keyCount) {
      if (!hasCursorForm(cursor)) throw new Problem('cursor_invalid');
      const bytes = Buffer.from(cursor, 'base64url');
      // Unused low bits of the last character would let several texts represent one cursor.
      if (bytes.toString('base64url') !== cursor) throw new Problem('cursor_invalid');
      const payload = bytes.subarray(TAG_BYTES);
      const tag = bytes.subarray(0, TAG_BYTES);
      const isGenuine = [key, ...previousKeys].some((one) =>
        equalConstantTime(tag, tagUnder(one, payload, binding)),
      );
      if (!isGenuine) throw new Problem('cursor_invalid');
      const [version, ...position] = JSON.parse(payload.toString()) as [number, ...string[]];
      if (version !== VERSION || position.length !== keyCount) throw new Problem('cursor_invalid');
      return position;
    },
  };
}
