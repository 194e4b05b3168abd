import { eventNames, eventType, followedTypes, fullEventFilter } from '../../../shared/events/catalogue.ts';
import { meant } from '../../../shared/nearest.ts';
import { type FieldError, Problem } from '../../../shared/problem.ts';

const types = eventNames.map(eventType);
/** Every filter that matches something, without `*`: types, and their prefixes. Trades have no prefix. */
const filters = [
  ...new Set(types.flatMap((type) => (followedTypes.includes(type) ? [type] : [type, ...prefixesOf(type)]))),
];

/** `launch.*` and its like. */
const shortPrefixes = [...new Set(eventNames.map((name) => `${name.slice(0, name.indexOf('.'))}.*`))].filter(
  (prefix) => filters.includes(fullEventFilter(prefix)),
);

function prefixesOf(type: string): string[] {
  return [...type.matchAll(/\./g)].map(({ index }) => `${type.slice(0, index)}.*`);
}

/**
 * Requested filters in full, without repetitions. Throws `validation_failed` for filters that match no event type
 * (contract/events#filter-catalogue).
 * @param pathOf returns the path of the filter at an index
 */
export function knownFilters(
  eventTypes: readonly string[],
  pathOf: (at: number) => string = (at) => `/body/eventTypes/${at}`,
): string[] {
  const errors = eventTypes.flatMap((filter, at): FieldError[] => {
    if (filter === '*' || filters.includes(fullEventFilter(filter))) return [];
    return [
      {
        path: pathOf(at),
        code: 'invalid_value',
        message: `matches no event type; ${hint(filter)}`,
      },
    ];
  });
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  return [...new Set(eventTypes.map(fullEventFilter))];
}

/**
 * Requested subjects in the form of events, without repetitions; null, for all subjects, stays null
 * (contract/events#filter-subjects).
 */
export function distinctSubjects(subjects: readonly string[] | null): string[] | null {
  return subjects === null ? null : [...new Set(subjects.map(subjectInEvents))];
}

/** Ids have lower case in events. Addresses are case-sensitive. */
export function subjectInEvents(subject: string): string {
  return subject.includes('-') ? subject.toLowerCase() : subject;
}

/**
 * The nearest type or prefix, or the expected forms. Types are compared by their short names too:
 * `launch.creatd` finds its full type.
 */
function hint(filter: string): string {
  const isPrefix = filter.endsWith('*');
  const name = meant(filter, isPrefix ? shortPrefixes : eventNames);
  const candidates = isPrefix ? filters.filter((one) => one.endsWith('*')) : types;
  const near = name === undefined ? meant(filter, candidates) : fullEventFilter(name);
  return near === undefined
    ? `expected a type such as ${types[0]}, a prefix that ends in .*, or *`
    : `the nearest is ${near}`;
}
