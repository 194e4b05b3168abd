import { eventNames, eventType } from '../../../shared/events/catalogue.ts';
import { nearest } from '../../../shared/nearest.ts';
import { type FieldError, Problem } from '../../../shared/problem.ts';

const types = eventNames.map(eventType);
/** Every filter that matches something, without `*`: types, and their prefixes. */
const filters = [...new Set(types.flatMap((type) => [type, ...prefixesOf(type)]))];

function prefixesOf(type: string): string[] {
  return [...type.matchAll(/\./g)].map(({ index }) => `${type.slice(0, index)}.*`);
}

/** Requested filters, each once. Throws `validation_failed` for those that no event can match (contract/events#filter-catalogue). */
export function knownFilters(eventTypes: readonly string[]): string[] {
  const errors = eventTypes.flatMap((filter, at): FieldError[] => {
    if (filter === '*' || filters.includes(filter)) return [];
    const path = `/body/eventTypes/${at}`;
    return [
      { path, code: 'invalid_value', message: `matches no event type; the nearest is ${suggestion(filter)}` },
    ];
  });
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  return [...new Set(eventTypes)];
}

/** A short name is what the catalogue shows: `launch.created` means its full type. */
function suggestion(filter: string): string {
  const full = eventNames.find((name) => name === filter);
  if (full !== undefined) return eventType(full);
  const candidates = filter.endsWith('*') ? filters.filter((one) => one.endsWith('*')) : types;
  return nearest(filter, candidates) ?? '*';
}
