import { eventNames, eventType } from '../../../shared/events/catalogue.ts';
import { nearest } from '../../../shared/nearest.ts';
import { type FieldError, Problem } from '../../../shared/problem.ts';

const types = eventNames.map(eventType);
/** Every filter that matches something, without `*`: types, and their prefixes. */
const filters = [...new Set(types.flatMap((type) => [type, ...prefixesOf(type)]))];

function prefixesOf(type: string): string[] {
  return [...type.matchAll(/\./g)].map(({ index }) => `${type.slice(0, index)}.*`);
}

/**
 * Requested filters, each once. Throws `validation_failed` for those that no event can match (contract/events#filter-catalogue).
 *
 * @param pathOf where the filter at an index stands in the request
 */
export function knownFilters(
  eventTypes: readonly string[],
  pathOf: (at: number) => string = (at) => `/body/eventTypes/${at}`,
): string[] {
  const errors = eventTypes.flatMap((filter, at): FieldError[] => {
    if (filter === '*' || filters.includes(filter)) return [];
    return [
      {
        path: pathOf(at),
        code: 'invalid_value',
        message: `matches no event type; the nearest is ${suggestion(filter)}`,
      },
    ];
  });
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  return [...new Set(eventTypes)];
}

/** Requested subjects as events name them, each once; null stays null, for all (contract/events#filter-subjects). */
export function distinctSubjects(subjects: readonly string[] | null): string[] | null {
  return subjects === null ? null : [...new Set(subjects.map(subjectInEvents))];
}

/** Ids stand in events in lower case; addresses mean another account in another case. */
export function subjectInEvents(subject: string): string {
  return subject.includes('-') ? subject.toLowerCase() : subject;
}

/** A short name is what the catalogue shows: `launch.created` means its full type. */
function suggestion(filter: string): string {
  const full = eventNames.find((name) => name === filter);
  if (full !== undefined) return eventType(full);
  const candidates = filter.endsWith('*') ? filters.filter((one) => one.endsWith('*')) : types;
  return nearest(filter, candidates) ?? '*';
}
