import type { Database, Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { saleSupplyRaw } from './allocation.ts';
import { type PresaleRow, presaleColumns, toPresale } from './record.ts';
import { dueTransition, type PresaleState, SETTLING_GRACE_MS, type Transition } from './state.ts';

export interface PresaleContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  /** Called after a commit: caches of these presales are stale. */
  onPresalesChanged(ids: readonly string[]): void;
}

/**
 * Makes every due transition, for up to `limit` presales, each in a transaction of its own with its event.
 * Returns the number of transitions. A failing presale does not block the others: it throws after they are
 * done.
 */
export async function advancePresales(context: PresaleContext, limit: number): Promise<number> {
  const failures: unknown[] = [];
  let made = 0;
  for (const id of await findDuePresales(context.db, context.clock.now(), limit)) {
    try {
      if (await advancePresale(context, id)) made += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 1)
    throw new AggregateError(failures, `${failures.length} presales could not advance`);
  if (failures.length > 0) throw failures[0];
  return made;
}

/** SQL: true when `findDuePresales` has a result at `now`. */
export function isPresaleDue(db: Database, now: Date): ReturnType<Database> {
  return db`exists (${duePresales(db, now, 1)})`;
}

export async function findDuePresales(db: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`${duePresales(db, now, limit)}`;
  return rows.map(({ id }) => id);
}

/** SQL: presales that `dueTransition` would move, by one partial index per case. */
function duePresales(db: Database, now: Date, limit: number): ReturnType<Database> {
  const graceOver = new Date(now.getTime() - SETTLING_GRACE_MS);
  return db`
    select id from (
      (select id from presales where status = 'initializing' and public_start_at <= ${now} limit ${limit})
      union (select id from presales where status = 'active' and deadline <= ${now} limit ${limit})
      union (select id from presales
        where status in ('active', 'settling') and total_deposited_lamports = max_cap_lamports limit ${limit})
      union (select id from presales where status = 'settling' and settling_at <= ${graceOver} limit ${limit})
      union (select id from presales
        where status = 'refunding' and total_refunded_lamports = total_deposited_lamports limit ${limit})
    ) as due limit ${limit}`;
}

/** Makes the transition of one presale if it is still due once its row is locked. */
async function advancePresale(context: PresaleContext, id: string): Promise<boolean> {
  const { db, outbox, clock } = context;
  const made = await db.begin(async (transaction) => {
    const locked = await lockPresale(transaction, id);
    const now = clock.now();
    const transition = locked === null ? null : dueTransition(locked.state, now);
    if (locked === null || transition === null) return false;
    const row = await changeStatus(transaction, id, transition, now);
    if (transition.to === 'settled') await settleParticipations(transaction, id, locked.saleRaw, now);
    // A hidden token hides its presale too (contract/presales#drafts).
    const name = locked.hidden ? null : transition.event;
    if (name !== null)
      await outbox.append(transaction, { name, subject: id, accountId: null, data: toPresale(row) });
    return true;
  });
  if (made) context.onPresalesChanged([id]);
  return made;
}

interface LockedPresale {
  state: PresaleState;
  saleRaw: bigint;
  hidden: boolean;
}

async function lockPresale(transaction: Transaction, id: string): Promise<LockedPresale | null> {
  const [row] = await transaction<
    (PresaleRow & {
      settlingAt: Date | null;
      totalRefundedLamports: string;
      decimals: number;
      totalSupply: string;
      hidden: boolean;
    })[]
  >`select ${presaleColumns(transaction)}, p.settling_at, p.total_refunded_lamports, t.decimals, t.total_supply,
      t.hidden
    from presales p join tokens t using (mint_address)
    where p.id = ${id} for no key update of p`;
  if (row === undefined) return null;
  const state = {
    ...row,
    minCapLamports: BigInt(row.minCapLamports),
    maxCapLamports: BigInt(row.maxCapLamports),
    totalDepositedLamports: BigInt(row.totalDepositedLamports),
    totalRefundedLamports: BigInt(row.totalRefundedLamports),
  };
  const saleRaw = saleSupplyRaw(row.totalSupply, row.decimals, row.saleBps);
  return { state, saleRaw, hidden: row.hidden };
}

async function changeStatus(
  transaction: Transaction,
  id: string,
  { from, to }: Transition,
  now: Date,
): Promise<PresaleRow> {
  const [row] = await transaction<PresaleRow[]>`
    update presales p set status = ${to}, updated_at = ${now},
      settling_at = case when ${to}::text = 'settling' then ${now} else settling_at end
    where id = ${id} and status = ${from}
    returning ${presaleColumns(transaction)}`;
  if (row === undefined) throw new Error(`presale ${id} is no longer ${from} although it is locked`);
  return row;
}

/** `allocationRaw` for every participant; integer `div` is exact and cuts in the same way. */
async function settleParticipations(
  transaction: Transaction,
  id: string,
  saleRaw: bigint,
  now: Date,
): Promise<void> {
  await transaction`
    update presale_participations w set status = 'settled', updated_at = ${now},
      allocation_raw = div(w.deposited_lamports * ${saleRaw.toString()}::numeric, p.total_deposited_lamports)
    from presales p where p.id = ${id} and w.presale_id = p.id`;
}
