import { contractDefinitions } from '../../../src/api/routes.ts';
import type { Database } from '../../../src/db/client.ts';
import { createOperation } from '../../../src/features/operations/create-operation.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { publishedLimits, unpublishedLimits } from '../../../src/shared/contract-limits.ts';
import { insertLaunch } from '../launches/insert-launch.ts';
import { newAddress } from '../market/ingest-stream.ts';
import { insertOrder } from '../orders/insert-order.ts';
import { insertSlot } from '../orders/insert-slot.ts';
import { insertEndpoints } from '../rows/insert-endpoint.ts';
import { insertIntent } from './intents.ts';
import { addressOf, type Owner } from './owner.ts';

const limits = { ...publishedLimits, ...unpublishedLimits };
type LimitName = keyof typeof limits;

/** What the records of a limit belong to. */
export interface Filled extends Pick<Owner, 'accountId' | 'wallet' | 'mark'> {
  /** The token of orders and exports. */
  mint: string;
}

interface Filling {
  /** How much the account has of it. */
  count(db: Database, owner: Filled): Promise<number>;
  add(db: Database, owner: Filled, count: number): Promise<unknown>;
}

/** A smaller file, and one that is being written, count as much as this (contract/operations#kept-bytes). */
const FILE_BYTES_MIN = 65_536;

/** Limits of what a process holds in its memory: no row counts to them. */
export const heldInMemory: readonly LimitName[] = ['waitingRequestsPerAccount'];

/** How an account reaches each of its limits, in this order: images come before their bytes, and orders of a token before all orders. */
export const fillings: Partial<Record<LimitName, Filling>> = {
  webhookEndpointsPerAccount: {
    count: (db, { accountId }) =>
      counted(db`select from webhook_endpoints where account_id = ${accountId} and deleted_at is null`),
    add: (db, { accountId, mark }, count) =>
      insertEndpoints(db, count, { accountId, url: `http://127.0.0.1:8080/${mark}` }),
  },
  openLaunchesPerAccount: {
    count: (db, { accountId }) =>
      counted(db`select from launches where account_id = ${accountId} and status = 'pending_launch_init'`),
    add: (db, owner, count) =>
      times(count, async () => {
        const { id: intentId } = await insertIntent(db, { ...owner, otherWallet: owner.wallet });
        return await insertLaunch(db, { accountId: owner.accountId, intentId });
      }),
  },
  openOrderSlotsPerAccount: {
    count: (db, { accountId }) =>
      counted(db`select from order_slots where account_id = ${accountId} and status in ('pending', 'ready')`),
    add: (db, { accountId, wallet }, count) =>
      times(count, () => insertSlot(db, { accountId, walletAddress: addressOf(wallet) })),
  },
  openOrdersPerToken: {
    count: (db, { accountId, mint }) =>
      counted(db`
        select from orders where account_id = ${accountId} and mint_address = ${mint}
          and status in ('unsigned', 'open', 'triggered')`),
    add: (db, owner, count) => insertOrders(db, owner, count, owner.mint),
  },
  openOrdersPerAccount: {
    count: (db, { accountId }) =>
      counted(
        db`select from orders where account_id = ${accountId} and status in ('unsigned', 'open', 'triggered')`,
      ),
    add: (db, owner, count) => insertOrders(db, owner, count),
  },
  openAudienceExports: {
    count: (db, { accountId }) =>
      counted(db`
        select from operations where account_id = ${accountId} and kind = 'audience_export'
          and status in ('queued', 'running')`),
    add: (db, owner, count) => times(count, () => insertExport(db, owner)),
  },
  exportBytesPerAccount: {
    async count(db, { accountId }) {
      const [row] = await db<{ bytes: bigint }[]>`
        select coalesce(sum(greatest(byte_length, ${FILE_BYTES_MIN})), 0)::int8 as bytes
        from operations o left join operation_results r on r.operation_id = o.id
        where account_id = ${accountId} and kind = 'audience_export'
          and (status in ('queued', 'running') or r.operation_id is not null)`;
      return Number(row?.bytes ?? 0);
    },
    async add(db, owner, bytes) {
      const id = await insertExport(db, owner);
      await db`
        update operations set status = 'succeeded', started_at = now(), completed_at = now(), due_at = null
        where id = ${id}`;
      await db`
        insert into operation_results (operation_id, content_type, file_name, byte_length, expires_at)
        values (${id}, 'text/csv', 'full.csv', ${bytes}, now() + interval '1 day')`;
    },
  },
  imagesPerDay: {
    count: (db, { accountId }) => counted(db`select from images where account_id = ${accountId}`),
    add: (db, owner, count) => insertImages(db, owner, count),
  },
  imageBytesPerDay: {
    async count(db, { accountId }) {
      const [row] = await db<{ bytes: bigint }[]>`
        select coalesce(sum(byte_length), 0)::int8 as bytes from images where account_id = ${accountId}`;
      return Number(row?.bytes ?? 0);
    },
    async add(db, owner, bytes) {
      const larger = await db`
        update images set byte_length = byte_length + ${bytes} where (account_id, source_hash) = (
          select account_id, min(source_hash) from images where account_id = ${owner.accountId} group by 1)`;
      if (larger.count === 0) await insertImages(db, owner, 1, bytes);
    },
  },
};

/**
 * Fills an account up to every limit, or up to the limits in `names`.
 * @param left how much of each stays free
 */
export async function fillAccount(
  db: Database,
  owner: Filled,
  names: readonly LimitName[] = Object.keys(fillings) as LimitName[],
  left = 0,
): Promise<void> {
  for (const name of names) {
    const filling = fillings[name];
    if (filling === undefined) throw new Error(`no record of an account counts to ${name}`);
    const missing = limits[name] - left - (await filling.count(db, owner));
    if (missing > 0) await filling.add(db, owner, missing);
  }
}

/** The limits that one account can reach. */
export function namesOfAccountLimits(): LimitName[] {
  return (Object.keys(limits) as LimitName[]).filter((name) => /PerAccount$|PerDay$|^open/.test(name));
}

async function counted(rows: PromiseLike<{ count: number }>): Promise<number> {
  return (await rows).count;
}

async function times<Result>(count: number, make: () => Promise<Result>): Promise<Result[]> {
  const made: Result[] = [];
  while (made.length < count) made.push(await make());
  return made;
}

/** The first is inserted as any order, and the others are copies of its row, each of a token of its own by default. */
async function insertOrders(db: Database, owner: Filled, count: number, mint?: string): Promise<void> {
  const { accountId, wallet } = owner;
  const first = await insertOrder(db, {
    accountId,
    slotId: await insertSlot(db, { accountId, status: 'closed' }),
    walletAddress: addressOf(wallet),
    ...(mint === undefined ? {} : { mintAddress: mint }),
  });
  const mints = Array.from({ length: count - 1 }, () => mint ?? newAddress());
  await db`
    insert into orders
    select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'mint_address', m))).*
    from orders o, unnest(${mints}::text[]) m where o.id = ${first}`;
}

/** As the example request asks for it. */
async function insertExport(db: Database, { accountId, mint }: Filled): Promise<string> {
  const asked = contractDefinitions.find(({ id }) => id === 'createAudienceExport')?.exampleBody;
  const input = { mintAddress: mint, ...asked };
  const { id } = await db.begin((transaction) =>
    createOperation(transaction, systemClock, { accountId, kind: 'audience_export', input }),
  );
  return id;
}

/** Images that no request of a test uploads. */
export async function insertImages(
  db: Database,
  { accountId }: Pick<Owner, 'accountId'>,
  count: number,
  bytes = 1,
): Promise<void> {
  await db`
    insert into images (account_id, source_hash, hash, content_type, width, height, byte_length, created_at)
    select ${accountId}, replace(gen_random_uuid() || '' || gen_random_uuid(), '-', ''), lpad(to_hex(n), 64, '0'), 'image/png',
      1, 1, ${bytes}, now()
    from generate_series(1, ${count}) n`;
}
