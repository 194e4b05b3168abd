import type { Queryable } from '../../src/db/client.ts';
import { eventScopes, followedTypes } from '../../src/shared/events/catalogue.ts';

/** The entries of `coalesce(subjects, '{*}')` with which an endpoint receives events of a subject. */
export function subjectFiltersOf(subject: string): string[] {
  return ['*', subject];
}

/** The types that need a scope, and the scope of each, as parallel arrays. */
const scopedTypes = [...eventScopes.keys()];
const neededScopes = [...eventScopes.values()];

/**
 * SQL: whether `endpoint` receives `event`, with the rules of `receivesEvent`. An event addressed to one endpoint
 * (`webhook.ping`) reaches it whatever its filters and age. Any other event reaches endpoints that are not younger, and
 * an account's own event only those whose key can read it (contract/events#filter-scopes). A trade reaches only
 * endpoints that name its type and its subject.
 */
export function matches(sql: Queryable) {
  return sql`(
    (event.account_id is null or event.account_id = endpoint.account_id)
    and case when event.only_endpoint_id is not null then event.only_endpoint_id = endpoint.id
      when event.type = any(${[...followedTypes]}::text[]) then endpoint.created_at <= event.created_at
        and event.type = any(endpoint.event_types)
        and coalesce(event.subject = any(endpoint.subjects), exists (
          select from endpoint_subjects where endpoint_id = endpoint.id and subject = event.subject))
      else endpoint.created_at <= event.created_at and exists (
        select from unnest(endpoint.event_types) as filter
        where filter = '*' or filter = event.type
          or (filter like '%.*' and starts_with(event.type, left(filter, -1))))
        and (endpoint.subjects is null or event.subject = any(endpoint.subjects))
        and (event.account_id is null or endpoint.event_scopes is null or not exists (
          select from unnest(${scopedTypes}::text[], ${neededScopes}::text[]) as needed (type, scope)
          where needed.type = event.type and needed.scope <> all(endpoint.event_scopes)))
      end)`;
}

/** SQL: one page of the endpoints that may receive an event of the batch (`EventBatch`), in id order. */
export function endpointPage(
  sql: Queryable,
  {
    accountIds,
    filters,
    subjects,
  }: { accountIds: string[] | null; filters: string[] | null; subjects: string[] | null },
  after: string | null,
  pageSize: number,
) {
  return sql`
    select id, account_id, event_types, subjects, event_scopes, created_at from webhook_endpoints
    where status = 'enabled' and deleted_at is null
      ${after === null ? sql`` : sql`and id > ${after}::uuid`}
      ${accountIds === null ? sql`` : sql`and account_id = any(${accountIds}::uuid[])`}
      ${filters === null ? sql`` : sql`and event_types && ${filters}::text[]`}
      ${subjects === null ? sql`` : sql`and coalesce(subjects, '{*}'::text[]) && ${subjects}::text[]`}
    order by id limit ${pageSize}`;
}
