import type { Transaction } from '../../../db/client.ts';
import { type EndpointFilters, followsTrades, getsOthers } from './followed-subjects.ts';

/** `subjects` of the row of an endpoint: what its events other than trades are narrowed to. */
export function subjectsInRow(filters: EndpointFilters): string[] | null {
  return filters.subjects === null || !getsOthers(filters) ? null : [...filters.subjects];
}

/** Replaces the subjects whose trades an endpoint gets. The caller also changes the row of the endpoint. */
export async function writeFollowedSubjects(
  transaction: Transaction,
  endpointId: string,
  filters: EndpointFilters,
): Promise<void> {
  await transaction`delete from endpoint_subjects where endpoint_id = ${endpointId}`;
  if (filters.subjects === null || !followsTrades(filters)) return;
  await transaction`
    insert into endpoint_subjects (endpoint_id, subject, position)
    select ${endpointId}, subject, at - 1
    from unnest(${[...filters.subjects]}::text[]) with ordinality as named (subject, at)`;
}
