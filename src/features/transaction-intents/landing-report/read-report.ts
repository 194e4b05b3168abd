import type { PendingQuery, Row } from 'postgres';
import type { Queryable } from '../../../db/client.ts';
import { rowById } from '../../../db/row-look-up.ts';
import type { IntentErrorCode } from '../../../intents/state.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { firstUuidOf } from '../../../shared/first-uuid.ts';
import { hoursOf, type ReportRange, rangeInvalid } from './report-range.ts';
import type { LandingFigures, LandingReport, ReportGrouping } from './schema.ts';

const INTENTS_MAX: number = unpublishedLimits.landingReportIntents;
/** Intents of a range that a report over all accounts looks at, submitted or not. */
const ALL_INTENTS_MAX = 200_000;

/** States of an intent that was submitted. */
const SENT_STATUSES = ['submitted', 'confirmed', 'failed'] as const;

/** Results of transactions that never landed, because their window closed. */
const EXPIRED_CODES: readonly IntentErrorCode[] = [
  'transaction_intent_expired',
  'transaction_intent_broadcast_exhausted',
  'solana_blockhash_expired',
  'solana_signature_mismatch',
];

type Percentiles = [p50: number, p90: number, p99: number] | null;

interface FiguresRow {
  /** Null in the row of all intents. */
  key: string | null;
  isHeldOut: boolean;
  sent: number;
  landed: number;
  failed: number;
  expired: number;
  open: number;
  reverted: number;
  slots: Percentiles;
  milliseconds: Percentiles;
  feesLamports: string;
  tipsLamports: string;
  unknownFees: number;
}

/**
 * Report about the sent intents of an account (contract/landing-report). Throws
 * `landing_report_range_invalid` when the range has too many of them. One statement, so that groups and total
 * agree. It reads kind by kind and status by status from the index of the account's lists, whose ids hold the
 * time at which preparation began.
 */
export function readReport(
  db: Queryable,
  accountId: string,
  range: ReportRange,
  by: ReportGrouping,
): Promise<LandingReport> {
  const { first, end } = idsOf(range);
  const read = db`step as (
      (select kind from transaction_intents where account_id = ${accountId} order by kind limit 1)
      union all
      select (select next.kind from transaction_intents as next
        where next.account_id = ${accountId} and next.kind > step.kind order by next.kind limit 1)
      from step where step.kind is not null
    ), found as materialized (
      select record.* from step
      cross join unnest(${[...SENT_STATUSES]}::text[]) as wanted (status)
      cross join lateral (
        select id, status, error_code, created_at, submitted_at, completed_at, send_route, priority_level
        from transaction_intents
        where account_id = ${accountId}::uuid and kind = step.kind and status = wanted.status
          and id >= ${first}::uuid and id < ${end}::uuid
          and created_at >= ${range.from} and created_at < ${range.to}
        limit ${INTENTS_MAX + 1}
      ) as record
      where step.kind is not null limit ${INTENTS_MAX + 1}
    )`;
  return reportOf(db, { read, max: INTENTS_MAX, counted: db`found` }, range, by);
}

/**
 * The same report over the intents of all accounts, for operators. It reads the intents of the range in the
 * order of their ids.
 */
export function readReportOfAll(
  db: Queryable,
  range: ReportRange,
  by: ReportGrouping,
): Promise<LandingReport> {
  const { first, end } = idsOf(range);
  const read = db`prepared as materialized (
      select id, status, error_code, created_at, submitted_at, completed_at, send_route, priority_level
      from transaction_intents where id >= ${first}::uuid and id < ${end}::uuid
        and created_at >= ${range.from} and created_at < ${range.to}
      order by id limit ${ALL_INTENTS_MAX + 1}
    ), found as materialized (
      select * from prepared where status = any(${[...SENT_STATUSES]}::text[])
    )`;
  return reportOf(db, { read, max: ALL_INTENTS_MAX, counted: db`prepared` }, range, by);
}

/** An id is made before the simulation, and no request prepares for longer. */
const PREPARATION_MAX_MS = 60_000;

/** Bounds on the ids of intents that were created in the range. */
function idsOf({ from, to }: ReportRange) {
  return { first: firstUuidOf(from.getTime() - PREPARATION_MAX_MS), end: firstUuidOf(to.getTime()) };
}

type Fragment = PendingQuery<Row[]>;

/**
 * @param read SQL: common table expressions, the last of them `found`
 * @param counted SQL: the one of them that must not have more than `max` rows
 */
async function reportOf(
  db: Queryable,
  { read, max, counted }: { read: Fragment; max: number; counted: Fragment },
  range: ReportRange,
  by: ReportGrouping,
): Promise<LandingReport> {
  const rows = await db<(FiguresRow & { isTooMany: boolean })[]>`
    with recursive ${read}, facts as (
      select f.id, f.status, ${keyOf(db, by)} as key,
        case when f.status = 'failed' then f.error_code = any(${[...EXPIRED_CODES]}::text[]) else false end as is_expired,
        l.intent_id is not null as is_on_chain, l.finality, l.fee_lamports, l.tip_lamports,
        -- A first record of a later slot is of a resend: that of the first send was lost.
        case when l.slot >= first_send.slot then l.slot - first_send.slot end as slots,
        case when l.intent_id is not null and f.completed_at is not null
          then greatest(0, round(extract(epoch from f.completed_at - f.submitted_at) * 1000)) end as milliseconds
      from found f
      left join intent_landings l on ${rowById(db, db`l.intent_id`, db`f.id`)}
      left join lateral (
        select min(first_slot) as slot from intent_sends where intent_id = f.id
      ) first_send on true
    ), grouped as (
      ${by === 'address' ? addressGroups(db) : db`select facts.*, false as is_held_out from facts`}
    )
    select g.*, (select count(*) > ${max} from ${counted}) as is_too_many
    from (
      select null::text as key, false as is_held_out, ${figures(db)} from facts
      union all
      select key, is_held_out, ${figures(db)} from grouped group by key, is_held_out
    ) g
    order by g.key collate "C" nulls first`;
  const [total] = rows;
  if (total === undefined) throw new Error('a report without its total');
  if (total.isTooMany)
    throw rangeInvalid('too_many', `The range has more than ${max.toLocaleString('en-US')} intents.`);
  const { from, to } = range;
  const groups = groupsOf(rows.slice(1));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    by,
    total: toFigures(total),
    groups: by === 'hour' ? withEmptyHours(groups, range) : groups,
  };
}

/** SQL: the group of a row of `found f`; an address has its own, by its sends. */
function keyOf(sql: Queryable, by: ReportGrouping) {
  switch (by) {
    case 'route':
      return sql`f.send_route`;
    case 'level':
      return sql`coalesce(f.priority_level, 'none')`;
    case 'hour':
      return sql`to_char(date_trunc('hour', f.created_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`;
    case 'address':
      return sql`null::text`;
  }
}

/** SQL: the rows of `facts`, once for each address. A record without a send says that it was held out. */
function addressGroups(sql: Queryable) {
  return sql`
    select facts.id, facts.status, s.target as key, facts.is_expired, facts.is_on_chain, facts.finality,
      facts.fee_lamports, facts.tip_lamports, facts.slots, facts.milliseconds, s.send_count = 0 as is_held_out
    from facts join intent_sends s on ${rowById(sql, sql`s.intent_id`, sql`facts.id`)}`;
}

function figures(sql: Queryable) {
  return sql`
    count(*)::int as sent,
    (count(*) filter (where status = 'confirmed'))::int as landed,
    (count(*) filter (where status = 'failed' and not is_expired))::int as failed,
    (count(*) filter (where is_expired))::int as expired,
    (count(*) filter (where status = 'submitted'))::int as open,
    (count(*) filter (where finality = 'reverted'))::int as reverted,
    percentile_disc(array[0.5, 0.9, 0.99]) within group (order by slots::float8) as slots,
    percentile_disc(array[0.5, 0.9, 0.99]) within group (order by milliseconds::float8) as milliseconds,
    coalesce(sum(fee_lamports), 0)::text as fees_lamports,
    coalesce(sum(tip_lamports), 0)::text as tips_lamports,
    (count(*) filter (where is_on_chain and fee_lamports is null))::int as unknown_fees`;
}

function groupsOf(rows: readonly FiguresRow[]): LandingReport['groups'] {
  const groups = new Map<string, { figures: LandingFigures; without: LandingFigures | null }>();
  for (const row of rows) {
    const key = row.key ?? '';
    const group = groups.get(key) ?? { figures: NOTHING, without: null };
    groups.set(
      key,
      row.isHeldOut ? { ...group, without: toFigures(row) } : { ...group, figures: toFigures(row) },
    );
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}

function withEmptyHours(groups: LandingReport['groups'], range: ReportRange): LandingReport['groups'] {
  const byHour = new Map(groups.map((group) => [group.key, group]));
  return hoursOf(range).map((key) => byHour.get(key) ?? { key, figures: NOTHING, without: null });
}

const NOTHING: LandingFigures = {
  sent: 0,
  landed: 0,
  failed: 0,
  expired: 0,
  open: 0,
  reverted: 0,
  slots: null,
  milliseconds: null,
  feesLamports: '0',
  tipsLamports: '0',
  unknownFees: 0,
};

function toFigures({ slots, milliseconds, ...row }: FiguresRow): LandingFigures {
  return {
    sent: row.sent,
    landed: row.landed,
    failed: row.failed,
    expired: row.expired,
    open: row.open,
    reverted: row.reverted,
    slots: toPercentiles(slots),
    milliseconds: toPercentiles(milliseconds),
    feesLamports: row.feesLamports,
    tipsLamports: row.tipsLamports,
    unknownFees: row.unknownFees,
  };
}

function toPercentiles(percentiles: Percentiles): LandingFigures['slots'] {
  if (percentiles === null) return null;
  const [p50, p90, p99] = percentiles;
  return { p50, p90, p99 };
}
