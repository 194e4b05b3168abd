import {
  type EventName,
  type EventSubject,
  eventCatalogue,
  eventNames,
  eventType,
  type SubjectForm,
  eventScopes as scopeByType,
  subjectForms,
} from '../events/catalogue.ts';
import type { FieldError } from '../problem.ts';
import { filtersOf } from './receives-event.ts';

interface Filters {
  eventTypes: readonly string[];
  /** Null for all subjects. */
  subjects: readonly string[] | null;
}

/** A part of the filters of an endpoint for which no event comes (contract/webhooks#warnings). */
export interface FilterWarning {
  /** JSON Pointer into the record. */
  path: string;
  message: string;
}

/** A filter of before the catalogue was checked has no entry. */
const namesByFilter = new Map<string, EventName[]>();
for (const name of eventNames)
  for (const filter of filtersOf(eventType(name)))
    namesByFilter.set(filter, [...(namesByFilter.get(filter) ?? []), name]);

const subjectOf = (name: EventName): EventSubject => eventCatalogue[name].subject;
const formOf = (subject: string): SubjectForm => (subject.includes('-') ? 'uuid' : 'address');
const formNames: Readonly<Record<SubjectForm, string>> = {
  address: 'an address',
  uuid: 'an id',
  other: 'another text',
};

/**
 * The errors of filters for which no event can ever come: no subject has the form that the subjects of these types have
 * (contract/events#filter-combinations).
 * @param field the field of the request that made it so
 */
export function impossibleFilters(
  { eventTypes, subjects }: Filters,
  field: 'eventTypes' | 'subjects',
): FieldError[] {
  if (subjects === null) return [];
  const forms = new Set(subjects.map(formOf));
  if (eventTypes.some((filter) => namesFor(filter, forms)?.length !== 0)) return [];
  if (field === 'eventTypes')
    return eventTypes.map((filter, at) => ({
      path: `/body/eventTypes/${at}`,
      code: 'invalid_value',
      message: `is never sent: its subject is ${subjectText([filter])}, and each of the subjects is ${formsText(forms)}`,
    }));
  return subjects.map((subject, at) => ({
    path: `/body/subjects/${at}`,
    code: 'invalid_value',
    message: `is ${formNames[formOf(subject)]}, and the subject of ${typesText(eventTypes)} is ${subjectText(eventTypes)}`,
  }));
}

/** What of the filters never matches an event, for the subjects and for the read scopes of an endpoint (null: all). */
export function filterWarnings({
  eventTypes,
  subjects,
  eventScopes,
}: Filters & { eventScopes: readonly string[] | null }): FilterWarning[] {
  const forms = subjects === null ? null : new Set(subjects.map(formOf));
  const warnings = eventTypes.flatMap((filter, at): FilterWarning[] => {
    const path = `/eventTypes/${at}`;
    const names = namesFor(filter, forms);
    if (names === undefined) return [];
    if (names.length === 0) {
      const message = `is never sent: its subject is ${subjectText([filter])}, and each of the subjects is ${formsText(forms)}`;
      return [{ path, message }];
    }
    const missing = names.map((name) => missingScope(name, eventScopes));
    if (missing.includes(null)) return [];
    return [
      { path, message: `is never sent: the key that created the endpoint lacks ${listed(missing, 'and')}` },
    ];
  });
  for (const form of forms ?? []) {
    if (eventTypes.some((filter) => namesFor(filter, new Set([form]))?.length !== 0)) continue;
    const at = subjects?.findIndex((subject) => formOf(subject) === form);
    warnings.push({
      path: `/subjects/${at}`,
      message: `names nothing that is sent, nor does any other that is ${formNames[form]}: the subject of ${typesText(eventTypes)} is ${subjectText(eventTypes)}`,
    });
  }
  return warnings;
}

/** The types of a filter whose subjects have one of the forms (null: any); undefined for a filter that is not known. */
function namesFor(filter: string, forms: ReadonlySet<SubjectForm> | null): EventName[] | undefined {
  return namesByFilter
    .get(filter)
    ?.filter((name) => forms === null || forms.has(subjectForms[subjectOf(name)]));
}

/** The scope without which events of a type do not come; null where they do. */
function missingScope(name: EventName, eventScopes: readonly string[] | null): string | null {
  const scope = scopeByType.get(eventType(name));
  return scope === undefined || eventScopes === null || eventScopes.includes(scope) ? null : scope;
}

function subjectText(filters: readonly string[]): string {
  const subjects = filters.flatMap((filter) => namesByFilter.get(filter)?.map(subjectOf) ?? []);
  return listed(
    subjects.map((subject) => `${/^[aeiou]/.test(subject) ? 'an' : 'a'} ${subject}`),
    'or',
  );
}

function formsText(forms: ReadonlySet<SubjectForm> | null): string {
  return listed(
    [...(forms ?? [])].map((form) => formNames[form]),
    'or',
  );
}

/** More types than a reader would read are not listed. */
const SHOWN_TYPES = 3;

function typesText(filters: readonly string[]): string {
  return filters.length > SHOWN_TYPES ? 'these event types' : `${listed(filters, 'and')} events`;
}

function listed(texts: readonly (string | null)[], word: 'and' | 'or'): string {
  const distinct = [...new Set(texts)];
  const last = distinct.pop();
  return distinct.length === 0 ? `${last}` : `${distinct.join(', ')} ${word} ${last}`;
}
