import type { PendingQuery, Row } from 'postgres';
import { eventType } from '../shared/events/catalogue.ts';
import type { Queryable } from './client.ts';

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/**
 * SQL: the event concerns a hidden token (contract/tokens#visibility). Its subject is the mint, or a presale
 * or round of the token, or the wallet of a trade of it.
 *
 * @param event SQL: the alias of `events` in the statement
 */
export function concernsHiddenToken(db: Queryable, event: PendingQuery<Row[]>) {
  // An operator can publish an event with any subject: casting one that is no id would fail every reader.
  const idIn = (group: string) => db`
    case when ${event}.type like ${`build.service.${group}.%`} and ${event}.subject ~ ${UUID} then ${event}.subject::uuid end`;
  // Not `exists`, which the planner may turn into a scan of the whole tables.
  return db`coalesce(
    (select t.hidden from tokens t where t.mint_address = ${event}.subject),
    (select t.hidden from presales p join tokens t using (mint_address) where p.id = ${idIn('presale')}),
    (select t.hidden from tokens t where t.mint_address =
      case when ${event}.type = ${eventType('wallet.traded')} then ${event}.body::jsonb #>> '{data,mintAddress}' end),
    (select t.hidden from prediction_rounds r join tokens t using (mint_address) where r.id = ${idIn('prediction\\_round')}),
    false)`;
}
