import { createHash } from 'node:crypto';
import { encodeAddress } from '../shared/address.ts';

/** A unique address of this intent; nobody holds its key. */
export function referenceOf(intentId: string): string {
  return encodeAddress(createHash('sha256').update(`launchwire:intent:${intentId}`).digest());
}
