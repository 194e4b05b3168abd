import type { Database, Queryable } from '../../../db/client.ts';
import type { orderVenues } from '../../../db/values/orders.ts';
import type {
  IntentPolicy,
  IntentQuote,
  PriorityLevel,
  SendRoute,
} from '../../../db/values/transaction-intents.ts';

/** A signed transaction of a triggered order. */
export interface SealedTransaction {
  /** Becomes the id of the intent. */
  id: string;
  venue: (typeof orderVenues)[number];
  preparedTransaction: Uint8Array;
  signatureOffset: number;
  policy: IntentPolicy;
  quote: IntentQuote;
  sealedTransaction: Uint8Array;
}

type StoredTransaction = Omit<SealedTransaction, 'id'>;

/** The columns of a transaction beside its order; all are null for an order that has none. */
type JoinedTransaction = { [Key in keyof StoredTransaction]: StoredTransaction[Key] | null } & {
  transactionId: string | null;
};

/** A triggered order that a worker has to send now. */
export interface DueOrder {
  id: string;
  version: number;
  accountId: string;
  walletAddress: string;
  mintAddress: string;
  nonceAddress: string;
  nonce: string;
  sendRoute: SendRoute;
  priorityLevel: PriorityLevel | null;
  tipLamports: bigint;
  attempts: number;
  createdAt: Date;
  triggeredAt: Date;
  triggerSlot: bigint;
  /** How far the curve of its token is. */
  curve: CurveProgress;
  /** The one for the curve first. */
  transactions: SealedTransaction[];
}

/** `between`: the curve is sold, and trades in the pool have not begun. */
export type CurveProgress = 'trading' | 'between' | 'migrated';

/** SQL: an order is to be sent at `now`. */
export function isOrderDue(db: Database, now: Date): ReturnType<Database> {
  return db`exists (
    select from orders where status = 'triggered' and intent_id is null and next_attempt_at <= ${now}::timestamptz)`;
}

/**
 * Claims up to `limit` due orders until `until`, those first that are due for the longest time. A claim promises nothing: only
 * one worker can store the intent of an order (`submitOrders`), so one that outlives its claim sends nothing twice.
 */
export async function claimOrders(
  db: Database,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<DueOrder[]> {
  const rows = await db<(Omit<DueOrder, 'transactions'> & JoinedTransaction)[]>`
    with due as materialized (
      select id, next_attempt_at as due_at from orders
      where status = 'triggered' and intent_id is null and next_attempt_at <= ${now}::timestamptz
      order by next_attempt_at limit ${limit} for no key update skip locked
    ), claimed as (
      update orders o set next_attempt_at = ${until}::timestamptz from due where o.id = due.id
      returning o.id, o.version, o.account_id, o.wallet_address, o.mint_address, o.nonce_address, o.nonce, o.send_route,
        o.priority_level, o.tip_lamports, o.attempts, o.created_at, o.triggered_at, o.trigger_slot, due.due_at
    )
    select c.*, ${curveProgress(db)} as curve, s.id as transaction_id, s.venue, s.prepared_transaction, s.signature_offset,
      s.policy, s.quote, s.sealed_transaction
    from claimed c join tokens t on t.mint_address = c.mint_address
      left join order_transactions s on s.order_id = c.id and s.sealed_transaction is not null
    order by c.due_at, c.id, s.venue desc`;
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ ...first, transactions: own.flatMap(transactionOf) }];
  });
}

/** SQL: how far the curve of token `t` is. Without a report of the chain the feed decides. */
export function curveProgress(db: Queryable) {
  return db`case
    when t.curve_stage = 'migrated' or t.curve_stage is null and t.graduated_at is not null then 'migrated'
    when t.curve_stage = 'completed' then 'between' else 'trading' end`;
}

function transactionOf({ transactionId, ...row }: JoinedTransaction): SealedTransaction[] {
  if (transactionId === null) return [];
  const { venue, preparedTransaction, signatureOffset, policy, quote, sealedTransaction } =
    row as StoredTransaction;
  return [
    { id: transactionId, venue, preparedTransaction, signatureOffset, policy, quote, sealedTransaction },
  ];
}
