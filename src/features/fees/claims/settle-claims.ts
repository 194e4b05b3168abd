import { type ClaimKind, claimKinds } from '../../../chain/pools/claims/claim.ts';
import type { Database } from '../../../db/client.ts';
import type { PreparedClaim } from '../../../db/values/fees.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { FeesClaimed } from './schema.ts';

export interface SettlementContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
}

/** Intents of one step. */
const STEP_MAX = 50;
/**
 * After this time the event is sent with the payments that were found: a claim whose fees somebody took
 * before pays nothing, and no payment of it ever appears.
 */
const PAYMENTS_AWAITED_MS = 60_000;

/** SQL: an intent that claims has ended, and that was not settled. */
export function isClaimDue(db: Database): ReturnType<Database> {
  return db`exists (
    select from fee_claim_intents c join transaction_intents i on i.id = c.intent_id
    where c.settled_at is null and i.status in ('confirmed', 'failed', 'expired'))`;
}

/**
 * Notes the transactions of claims that have landed, by which distributions name their intent, and appends
 * `fees.claimed` once the indexer has found their payments. Any number of workers may do this at once: the
 * event and the mark that it was appended are one transaction. True when there may be more.
 */
export async function settleClaims(context: SettlementContext): Promise<boolean> {
  const ended = await noteEnds(context);
  const paid = await listPaid(context);
  for (const claim of paid) await announce(context, claim);
  return ended === STEP_MAX || paid.length === STEP_MAX;
}

/** Returns how many intents of claims have ended since the last step. */
async function noteEnds({ db, clock }: SettlementContext): Promise<number> {
  const rows = await db`
    update fee_claim_intents c set transaction_signature = e.transaction_signature,
      settled_at = case when e.transaction_signature is null then ${clock.now()}::timestamptz end
    from (
      select c.intent_id, case when i.status = 'confirmed' then i.transaction_signature end as transaction_signature
      from fee_claim_intents c join transaction_intents i on i.id = c.intent_id
      where c.settled_at is null and c.transaction_signature is null and i.status in ('confirmed', 'failed', 'expired')
      order by c.intent_id limit ${STEP_MAX} for update of c skip locked
    ) e where c.intent_id = e.intent_id returning 1`;
  return rows.length;
}

interface PaidIntent {
  intentId: string;
  accountId: string;
  walletAddress: string;
  claims: PreparedClaim[];
  transactionSignature: string;
  payments: FoundPayment[];
}

/** Landed intents whose payments are all there, or have been awaited long enough. */
async function listPaid({ db, clock }: SettlementContext): Promise<PaidIntent[]> {
  const overdue = new Date(clock.now().getTime() - PAYMENTS_AWAITED_MS);
  return db<PaidIntent[]>`
    select c.intent_id, c.account_id, c.wallet_address, c.claims, c.transaction_signature, p.payments
    from fee_claim_intents c join transaction_intents i on i.id = c.intent_id
    cross join lateral (
      select count(*) as found, coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'poolAddress', f.pool_address,
        'positionAddress', f.position_address, 'amountLamports', f.amount_lamports::text)
        order by f.outer_index, f.inner_index), '[]') as payments
      from fee_claims f where f.transaction_signature = c.transaction_signature) p
    where c.settled_at is null and c.transaction_signature is not null
      and (p.found >= c.in_sol or i.completed_at < ${overdue}::timestamptz)
    order by c.intent_id limit ${STEP_MAX}`;
}

async function announce({ db, outbox, clock }: SettlementContext, paid: PaidIntent): Promise<void> {
  const { intentId, accountId, walletAddress, transactionSignature, payments } = paid;
  const claims = paidClaims(paid.claims, payments);
  const claimed = claims.reduce((sum, { paidLamports }) => sum + BigInt(paidLamports ?? 0n), 0n);
  const data: FeesClaimed = {
    intentId,
    walletAddress,
    transactionSignature,
    claimedLamports: String(claimed),
    claims,
  };
  await db.begin(async (transaction) => {
    const now = clock.now();
    const settled = await transaction`
      update fee_claim_intents set settled_at = ${now}::timestamptz
      where intent_id = ${intentId}::uuid and settled_at is null returning 1`;
    if (settled.length === 0) return;
    const event = { name: 'fees.claimed', subject: intentId, accountId, data, time: now } as const;
    await outbox.append(transaction, event);
  });
}

/** A payment in a transaction, as the indexer found it. */
interface FoundPayment {
  kind: string;
  poolAddress: string;
  positionAddress: string | null;
  amountLamports: string;
}

/** What the indexer calls the kinds (contract/ingest); both parties share one for the migration fee. */
const indexedKinds: Readonly<Record<ClaimKind, string>> = {
  creator_trading_fee: 'curveCreatorFee',
  partner_trading_fee: 'curvePartnerFee',
  creator_surplus: 'curveCreatorSurplus',
  partner_surplus: 'curvePartnerSurplus',
  creator_migration_fee: 'curveMigrationFee',
  partner_migration_fee: 'curveMigrationFee',
  leftover: 'curveLeftover',
  position_fee: 'positionFee',
};

/** Gives each claim its payment, in their order; null where none was found. */
function paidClaims(
  claims: readonly PreparedClaim[],
  payments: readonly FoundPayment[],
): FeesClaimed['claims'] {
  const open = [...payments];
  return claims.map((claim) => {
    const at = open.findIndex(
      ({ kind, poolAddress, positionAddress }) =>
        kind === indexedKinds[knownKind(claim.kind)] &&
        poolAddress === claim.poolAddress &&
        positionAddress === claim.positionAddress,
    );
    const [payment] = at < 0 ? [] : open.splice(at, 1);
    const { kind, mintAddress, poolAddress, positionAddress, quoteMint } = claim;
    return {
      kind: knownKind(kind),
      mintAddress,
      poolAddress,
      positionAddress,
      quoteMint,
      paidLamports: payment?.amountLamports ?? null,
    };
  });
}

/** Throws for a kind that was never stored. */
function knownKind(kind: string): ClaimKind {
  const known = claimKinds.find((one) => one === kind);
  if (known === undefined) throw new Error(`a claim of the kind ${kind} was stored`);
  return known;
}
