import { sampleEvents } from '../generated/sample-events.ts';
import type { EventType } from '../webhooks/events.ts';
import { UsageError } from './kit/command.ts';
import { nearest, question } from './kit/nearest.ts';

const PREFIX = 'build.service.';
const SUFFIX = '.v1';

export const eventTypes = Object.keys(sampleEvents) as EventType[];

/** `launch.created` for `build.service.launch.created.v1`; a name in another form stays as it is. */
export function shortEventName(type: string): string {
  return type.startsWith(PREFIX) && type.endsWith(SUFFIX) ? type.slice(PREFIX.length, -SUFFIX.length) : type;
}

export const shortEventNames = eventTypes.map(shortEventName);

/** The type that a short or whole name means. Throws a `UsageError` that names the nearest one. */
export function eventTypeOf(name: string): EventType {
  const type = eventTypes.find((candidate) => candidate === name || shortEventName(candidate) === name);
  if (type !== undefined) return type;
  throw unknownType(name);
}

/**
 * A filter of events: a type, a prefix that ends in `.*`, or `*`. Names in full are not looked up: the service may be
 * newer.
 */
export function eventFilterOf(name: string): string {
  if (name === '*' || name.startsWith(PREFIX)) return name;
  if (!name.endsWith('.*')) return eventTypeOf(name);
  const prefix = name.slice(0, -1);
  if (shortEventNames.some((short) => short.startsWith(prefix))) return PREFIX + name;
  throw unknownType(name);
}

/** A filter in the short form that `eventFilterOf` takes. */
export function shortFilter(filter: string): string {
  return filter.startsWith(PREFIX) && filter.endsWith('.*')
    ? filter.slice(PREFIX.length)
    : shortEventName(filter);
}

function unknownType(name: string): UsageError {
  const groups = [...new Set(shortEventNames.map((short) => `${short.split('.')[0]}.*`))];
  const guess = nearest(name, name.endsWith('.*') ? groups : shortEventNames);
  return new UsageError(`there is no event type "${name}"${question(guess)}`);
}
