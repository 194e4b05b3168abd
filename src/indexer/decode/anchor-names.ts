import { createHash } from 'node:crypto';

/**
 * Hex of the first eight bytes of the SHA-256 of a namespace and a name. An Anchor program marks its
 * instructions and events with them.
 */
function discriminator(namespace: 'global' | 'event', name: string): string {
  return createHash('sha256').update(`${namespace}:${name}`).digest('hex').slice(0, 16);
}

function byDiscriminator<Name extends string>(
  namespace: 'global' | 'event',
  names: readonly Name[],
): ReadonlyMap<string, Name> {
  return new Map(names.map((name) => [discriminator(namespace, name), name]));
}

/** Names of instructions by the hex of their discriminators. */
export function instructionNames<Name extends string>(names: readonly Name[]): ReadonlyMap<string, Name> {
  return byDiscriminator('global', names);
}

/** Names of events by the hex of their discriminators. */
export function eventNames<Name extends string>(names: readonly Name[]): ReadonlyMap<string, Name> {
  return byDiscriminator('event', names);
}
