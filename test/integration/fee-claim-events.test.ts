import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { ClaimKind } from '../../src/chain/pools/claims/claim.ts';
import type { Database } from '../../src/db/client.ts';
import type { PreparedClaim } from '../../src/db/values/fees.ts';
import {
  isClaimDue,
  type SettlementContext,
  settleClaims,
} from '../../src/features/fees/claims/settle-claims.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { insertAccount, insertIntent } from '../support/intents/submitted-intent.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { registerToken } from '../support/market/pool-fees.ts';
import { intentContext, openDatabase } from '../support/processes/worker-context.ts';
import { storedEvents } from '../support/rows/stored-events.ts';
import { createTestClock, type TestClock } from '../support/run/clock.ts';

let db: Database;
let clock: TestClock;
let context: SettlementContext;
const [mint, pool, wallet] = [newAddress(), newAddress(), newAddress()];

beforeAll(async () => {
  db = await openDatabase();
  await registerToken(db, mint, pool);
});

beforeEach(async () => {
  await emptyTables(db, 'fee_claim_intents', 'fee_claims', 'events');
  clock = createTestClock();
  ({ context } = intentContext(db, [], clock));
});

/** What a submitted intent claims: of each kind once. */
async function claimed(
  kinds: readonly ClaimKind[] = ['creator_trading_fee'],
): Promise<{ intentId: string; signature: string }> {
  const accountId = await insertAccount(db);
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + 60_000);
  const transaction = crypto.getRandomValues(new Uint8Array(200));
  const facts = { transaction, lastValidBlockHeight: 100n, expiresAt, now };
  const intentId = await insertIntent(db, accountId, facts);
  const claims = kinds.map((kind): PreparedClaim & Record<string, string | null> => ({
    kind,
    mintAddress: mint,
    poolAddress: pool,
    positionAddress: null,
    quoteMint: 'So11111111111111111111111111111111111111112',
    quoteRaw: '700',
    baseRaw: '0',
  }));
  await db`insert into fee_claim_intents (intent_id, account_id, wallet_address, claims, in_sol, created_at)
    values (${intentId}, ${accountId}, ${wallet}, ${db.json(claims)}, ${claims.length}, ${now})`;
  return { intentId, signature: newAddress() + newAddress().slice(0, 44) };
}

/** Ends the intent as the worker does, with the fields that the announcement reads. */
async function end(intentId: string, status: 'confirmed' | 'failed', signature: string): Promise<void> {
  await db`update transaction_intents set status = ${status}, transaction_signature = ${signature},
    completed_at = ${clock.now()}, error_code = ${status === 'failed' ? 'solana_transaction_failed' : null}
    where id = ${intentId}`;
}

async function pay(signature: string, lamports: string, kind = 'curveCreatorFee'): Promise<void> {
  await db`insert into fee_claims (transaction_signature, outer_index, inner_index, mint_address, pool_address, kind,
      claimant_wallet, recipient_wallet, amount_lamports, slot, claimed_at)
    values (${signature}, 0, ${kind.length}, ${mint}, ${pool}, ${kind}, ${wallet}, ${wallet}, ${lamports}, 5, ${clock.now()})`;
}

async function events(): Promise<{ subject: string; lamports: string; paid: (string | null)[] }[]> {
  return (await storedEvents(db, 'fees.claimed')).map(({ subject, data }) => {
    const paid = data.claims.map(({ paidLamports }: { paidLamports: string | null }) => paidLamports);
    return { subject, lamports: data.claimedLamports, paid };
  });
}

const isDue = async () => {
  const [row] = await db<{ due: boolean }[]>`select ${isClaimDue(db)} as due`;
  return row?.due;
};

describe('the event of claims', () => {
  test('waits for the landing and for all its payments, and shows what was paid', async () => {
    const { intentId, signature } = await claimed(['creator_trading_fee', 'creator_surplus']);
    expect(await isDue()).toBe(false);
    await settleClaims(context);
    await end(intentId, 'confirmed', signature);
    expect(await isDue()).toBe(true);
    await settleClaims(context);
    expect(await events()).toEqual([]);
    await pay(signature, '90', 'curveCreatorSurplus');
    await settleClaims(context);
    expect(await events()).toEqual([]);
    await pay(signature, '812');
    await settleClaims(context);
    expect(await events()).toEqual([{ subject: intentId, lamports: '902', paid: ['812', '90'] }]);
    expect(await isDue()).toBe(false);
  });

  test('is sent once by however many workers, also after a fork and another landing', async () => {
    const { intentId, signature } = await claimed();
    await end(intentId, 'confirmed', signature);
    await pay(signature, '700');
    const others = Array.from({ length: 4 }, () => intentContext(db, [], clock).context);
    await Promise.all([context, ...others].map((one) => settleClaims(one)));
    await db`delete from fee_claims`;
    await settleClaims(context);
    await pay(signature, '700');
    await Promise.all([context, ...others].map((one) => settleClaims(one)));
    expect(await events()).toHaveLength(1);
  });

  test('comes without payments that are not found within a minute', async () => {
    const { intentId, signature } = await claimed();
    await end(intentId, 'confirmed', signature);
    await settleClaims(context);
    clock.advance(60_001);
    await settleClaims(context);
    expect(await events()).toEqual([{ subject: intentId, lamports: '0', paid: [null] }]);
  });

  test('never comes for an intent that ended otherwise', async () => {
    const { intentId, signature } = await claimed();
    await end(intentId, 'failed', signature);
    await settleClaims(context);
    clock.advance(60_001);
    await settleClaims(context);
    expect(await events()).toEqual([]);
    expect(await isDue()).toBe(false);
    const [row] = await db`select transaction_signature from fee_claim_intents`;
    expect(row?.transactionSignature).toBeNull();
  });

  test('of a worker that dies between mark and event is not lost: both are one transaction', async () => {
    const { intentId, signature } = await claimed();
    await end(intentId, 'confirmed', signature);
    await pay(signature, '700');
    const dying: SettlementContext = {
      ...context,
      outbox: { ...context.outbox, append: () => Promise.reject(new Error('killed')) },
    };
    await expect(settleClaims(dying)).rejects.toThrow('killed');
    expect(await isDue()).toBe(true);
    await settleClaims(context);
    expect(await events()).toHaveLength(1);
  });
});
