import type { Database } from './client.ts';

/**
 * Events that came here by a restore carry transactions of another cluster: they are put before all that this one
 * records, or they would stay hidden until its numbers reach theirs (decisions/0036). Does nothing in a known cluster.
 */
export async function settleEventOrder(db: Database): Promise<void> {
  await db.begin(async (transaction) => {
    const [row] = await transaction<{ here: string; known: string | null }[]>`
      select system_identifier::text as here, (select cluster from event_order) as known from pg_control_system()`;
    if (row === undefined || row.here === row.known) return;
    if (row.known !== null)
      await transaction`update events set recorded_in = '0'::xid8 where recorded_in <> '0'::xid8`;
    await transaction`
      insert into event_order (cluster) values (${row.here})
      on conflict (only_row) do update set cluster = excluded.cluster`;
  });
}
