import { createHash } from 'node:crypto';

/** The first bytes by which an Anchor program recognises an instruction, an account or an event. */
export const DISCRIMINATOR_BYTES = 8;

/** The discriminator of an instruction or an event: the first bytes of the hash of a namespace and its name. */
export function anchorDiscriminator(namespace: 'global' | 'event', name: string): Buffer {
  return createHash('sha256').update(`${namespace}:${name}`).digest().subarray(0, DISCRIMINATOR_BYTES);
}
