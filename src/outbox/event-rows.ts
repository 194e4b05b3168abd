import type { PendingQuery, Row } from 'postgres';
import { arrayText } from '../db/array-text.ts';
import type { Queryable } from '../db/client.ts';
import { insertOf, namesOf, templateOf } from '../db/insert-row.ts';

type Sql = PendingQuery<Row[]>;

/** An event as a row of the outbox, for statements that insert it together with the fact. */
export interface ComposedEvent {
  id: string;
  type: string;
  subject: string;
  /** Null for a public event. */
  accountId: string | null;
  /** Null for an event that is not addressed to one endpoint. */
  onlyEndpointId: string | null;
  body: string;
  createdAt: Date;
  /** W3C trace context of the cause; null without tracing. */
  traceparent: string | null;
}

type EventColumn = readonly [
  name: string,
  type: string,
  value: (event: ComposedEvent) => string | Date | null,
];

/** The columns of a new event. Nothing else lists them, but the grants (src/db/grants.ts). */
const columns: readonly EventColumn[] = [
  ['id', 'uuid', ({ id }) => id],
  ['type', 'text', ({ type }) => type],
  ['subject', 'text', ({ subject }) => subject],
  ['account_id', 'uuid', ({ accountId }) => accountId],
  ['only_endpoint_id', 'uuid', ({ onlyEndpointId }) => onlyEndpointId],
  ['body', 'text', ({ body }) => body],
  ['created_at', 'timestamptz', ({ createdAt }) => createdAt],
  ['traceparent', 'text', ({ traceparent }) => traceparent],
];

/** SQL that inserts an event. `from` says when; if unset, always. */
export const insertEvent = insertOf('events', columns);

const names = namesOf(columns);
const insertMany = templateOf(
  `insert into events (${names}) select e.* from unnest(`,
  columns.map(([, type]) => `::${type}[]`),
  [`) as e (${names}) `, ' order by e.id'],
);

/** SQL that inserts events. `where` says which of `e`, a list of them with their columns; if unset, all. */
export function insertEvents(sql: Queryable, events: readonly ComposedEvent[], where: Sql = sql``): Sql {
  const lists = columns.map(([, type, value]) => {
    const values = events.map(value);
    return type === 'text' ? (values as (string | null)[]) : arrayText(values);
  });
  return sql(insertMany, ...lists, where);
}

/** Columns with which rows of a larger statement carry an event, for statements whose text is made once. */
export const carriedColumns = columns.map(([name, type]) => ({ name: `event_${name}`, type }));

/** Their values, in their order. */
export function carriedValues(event: ComposedEvent): (string | Date | null)[] {
  return columns.map(([, , value]) => value(event));
}

/** SQL that inserts the events of rows of `source`, which has `carriedColumns`. */
export function insertCarriedEvents(source: string): string {
  const carried = carriedColumns.map(({ name }) => name).join(', ');
  return `insert into events (${names}) select ${carried} from ${source} order by event_id`;
}
