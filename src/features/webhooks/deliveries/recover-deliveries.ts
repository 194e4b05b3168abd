import type { Transaction } from '../../../db/client.ts';
import { concernsHiddenToken } from '../../../db/hidden-events.ts';
import { uuidV7 } from '../../../db/uuid-v7.ts';
import { firstUuidOf } from '../../../shared/first-uuid.ts';
import { type MatchedEndpoint, receivesEvent } from '../../../shared/webhooks/receives-event.ts';
import { type ReplayableStatus, replayDeliveries } from './replay-deliveries.ts';

/** Deliveries that one step makes due. */
const RECOVERED_PER_STEP = 200;
/** Events that one step looks at. */
const EVENTS_PER_STEP = 1_000;
/** Open deliveries of an endpoint beyond which no more are recovered: those of new events stand behind them. */
const OPEN_MAX = 1_000;
/** Ids are made by clocks that may differ by this much from those of `created_at`. */
const CLOCK_STEP_MS = 60_000;

interface Page {
  endpointId: string;
  since: Date;
  until: Date;
  afterId: string | null;
}

/** What a step did; `afterId` is null at the end. */
interface Recovered {
  afterId: string | null;
  recovered: number;
  limitReached: number;
  isWaiting: boolean;
}

/** True when the endpoint has as many open deliveries as a recovery may give it. */
export async function isBacklogged(transaction: Transaction, endpointId: string): Promise<boolean> {
  const { count } = await transaction`
    select from webhook_deliveries
    where endpoint_id = ${endpointId} and status in ('pending', 'retrying') limit ${OPEN_MAX}`;
  return count === OPEN_MAX;
}

/** Replays the next finished deliveries that were created between two times, oldest first. */
export async function recoverFinished(
  transaction: Transaction,
  { endpointId, since, until, afterId, statuses }: Page & { statuses: readonly ReplayableStatus[] },
): Promise<Recovered> {
  const from = afterId ?? firstUuidOf(since.getTime() - CLOCK_STEP_MS);
  const end = firstUuidOf(until.getTime() + CLOCK_STEP_MS);
  const rows = await transaction<{ id: string }[]>`
    select delivery.id from unnest(${[...statuses]}::text[]) as wanted (status)
    cross join lateral (
      select id from webhook_deliveries
      where endpoint_id = ${endpointId} and status = wanted.status and id > ${from}::uuid and id < ${end}::uuid
        and created_at >= ${since} and created_at < ${until}
      order by id limit ${RECOVERED_PER_STEP}
    ) as delivery
    order by delivery.id limit ${RECOVERED_PER_STEP}`;
  const ids = rows.map(({ id }) => id);
  const { replayed, limitReached } = await replayDeliveries(transaction, endpointId, statuses, ids);
  const isMore = ids.length === RECOVERED_PER_STEP;
  return {
    afterId: isMore ? (ids.at(-1) ?? null) : null,
    recovered: replayed,
    limitReached,
    isWaiting: false,
  };
}

interface EventRow {
  id: string;
  type: string;
  subject: string;
  accountId: string | null;
  onlyEndpointId: string | null;
  createdAt: Date;
  isFannedOut: boolean;
}

/**
 * Makes the deliveries that the next events recorded between two times lack: those that found the endpoint disabled. By
 * its filters as they are now; pings are left out, and what concerns a hidden token. An event that the relay has still to deliver is waited for.
 */
export async function recoverMissed(
  transaction: Transaction,
  { endpointId, since, until, afterId }: Page,
): Promise<Recovered> {
  const endpoint = await findMatched(transaction, endpointId);
  const events = await transaction<EventRow[]>`
    select id, type, subject, account_id, only_endpoint_id, created_at, fanned_out_at is not null as is_fanned_out
    from events
    where id > ${afterId ?? firstUuidOf(since.getTime())}::uuid and id < ${firstUuidOf(until.getTime())}::uuid
      and not ${concernsHiddenToken(transaction, transaction`events`)}
    order by id limit ${EVENTS_PER_STEP}`;
  const wanted = events.filter(
    (event) => event.onlyEndpointId === null && endpoint !== null && receivesEvent(endpoint, event),
  );
  const open = wanted.findIndex(({ isFannedOut }) => !isFannedOut);
  const settled = open === -1 ? wanted : wanted.slice(0, open);
  const chosen = settled.slice(0, RECOVERED_PER_STEP);
  const recovered = await insertMissing(transaction, endpointId, chosen);
  const isCut = settled.length > chosen.length;
  const isWaiting = open !== -1 && !isCut;
  const isWhole = !isCut && !isWaiting;
  const last = isWhole ? (events.length === EVENTS_PER_STEP ? events.at(-1) : undefined) : chosen.at(-1);
  return { afterId: last?.id ?? null, recovered, limitReached: 0, isWaiting };
}

async function findMatched(transaction: Transaction, endpointId: string): Promise<MatchedEndpoint | null> {
  const [row] = await transaction<MatchedEndpoint[]>`
    select id, account_id, event_types, subjects, event_scopes, created_at from webhook_endpoints
    where id = ${endpointId}`;
  return row ?? null;
}

/** Deliveries that exist already, finished or not, stay as they are. */
async function insertMissing(
  transaction: Transaction,
  endpointId: string,
  events: readonly Pick<EventRow, 'id' | 'type'>[],
): Promise<number> {
  if (events.length === 0) return 0;
  const { count } = await transaction`
    insert into webhook_deliveries
      (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
    select ${uuidV7(transaction)}, ${endpointId}, new.event_id, new.type, 'pending', now(), now(), now()
    from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ type }) => type)}::text[]) as new (event_id, type)
    -- In the order of every insert of deliveries, so that no two wait for each other.
    order by new.event_id
    on conflict (endpoint_id, event_id) do nothing`;
  return count;
}
