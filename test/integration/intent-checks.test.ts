import { expect, test } from 'bun:test';
import {
  intentErrorCodes,
  intentStatuses,
  priorityLevels,
  sendRoutes,
} from '../../src/db/values/transaction-intents.ts';
import { createTestDatabase } from '../support/database/database.ts';

test('one function accepts exactly what each rule of an intent accepts', async () => {
  const { sql } = await createTestDatabase();
  const [row] = await sql<{ rows: number; accepted: number; different: unknown }[]>`
    with given as (
      select status, completed_at, error_code, send_route, kind, priority_level, signed_transaction, submitted_at, version
      from unnest(${[...intentStatuses, 'other']}::text[]) status
        cross join unnest(array[null, now()]) completed_at
        cross join unnest(${[...intentErrorCodes, 'other', null]}::text[]) error_code
        cross join unnest(${[...sendRoutes, 'other']}::text[]) send_route
        cross join unnest(array['swap_2', '2', 'Swap', 'a b']) kind
        cross join unnest(${[...priorityLevels, 'other', null]}::text[]) priority_level
        cross join unnest(array[null, ''::bytea]) signed_transaction
        cross join unnest(array[null, now()]) submitted_at
        cross join unnest(array[0, 1]) version
    ), judged as (
      select given::text as value,
        is_intent_whole(status, completed_at, error_code, send_route, kind, priority_level,
          signed_transaction, submitted_at, version) as accepted,
        status = any(${[...intentStatuses]}::text[])
          and (error_code is null or error_code = any(${[...intentErrorCodes]}::text[]))
          and send_route = any(${[...sendRoutes]}::text[])
          and (priority_level is null or priority_level = any(${[...priorityLevels]}::text[]))
          and (status in ('confirmed', 'expired', 'failed')) = (completed_at is not null)
          and (status in ('submitted', 'confirmed', 'failed')) = (signed_transaction is not null and submitted_at is not null)
          and (status = 'failed') = (error_code is not null)
          and kind = 'swap_2' and version = 1 as expected
      from given
    )
    select count(*)::int as rows, (count(*) filter (where accepted))::int as accepted,
      min(value) filter (where accepted is distinct from expected) as different
    from judged`;
  expect(row?.different).toBeNull();
  expect(row?.accepted).toBeGreaterThan(0);
  expect(row?.rows).toBeGreaterThan(50_000);
});
