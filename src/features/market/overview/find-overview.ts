import type { Queryable } from '../../../db/client.ts';
import type { MarketOverview, OverviewBody } from './schema.ts';

/** The totals of the platform; null before they were computed for the first time. */
export async function findOverview(db: Queryable): Promise<MarketOverview | null> {
  // As text: the driver would spell the statuses like columns.
  const [row] = await db<{ asOf: Date; computedAt: Date; body: string }[]>`
    select as_of, computed_at, body::text from market_overview where body is not null`;
  if (row === undefined) return null;
  const { asOf, computedAt } = row;
  const body: OverviewBody = JSON.parse(row.body);
  return { asOf: asOf.toISOString(), computedAt: computedAt.toISOString(), ...body };
}
