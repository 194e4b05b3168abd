import type { ClientGate, Gate, GateClient } from '../../shared/gate.ts';

/**
 * How new a reader needs the bytes of a cache: as old as `Cache-Control` grants to any cache; without a known change
 * that they lack, for reads that wait; or loaded after the request came, for `no-cache` (contract/responses#no-cache).
 */
export type Freshness = 'granted' | 'current' | 'fresh';

/** Who reads a cache: the input of a handler is one. */
export interface CacheReader {
  client: GateClient;
  freshness: Freshness;
}

const ASKS_FRESH = /(?:^|,)[ \t]*(?:no-cache|max-age="?0+"?)[ \t]*(?=,|$)/i;

/** What a request asks for with its `Cache-Control`. */
export function requestedFreshness({ headers }: Request): Freshness {
  const header = headers.get('cache-control');
  return header !== null && ASKS_FRESH.test(header) ? 'fresh' : 'granted';
}

/** One place of so many is for fresh reads: whoever asks for nothing else leaves the gate to others. */
const FRESH_PART = 4;

/** The place of a load. Fresh loads have bounds of their own, with a key and without one. */
export function placeOf({ client, freshness }: CacheReader, gate: Gate): ClientGate {
  if (freshness !== 'fresh') return gate.of(client);
  const name = client.isKeyed ? 'fresh, with a key' : 'fresh, without a key';
  const share = { name, max: Math.ceil(gate.options.runningMax / FRESH_PART) };
  return gate.of({ ...client, shares: [...(client.shares ?? []), share] });
}
