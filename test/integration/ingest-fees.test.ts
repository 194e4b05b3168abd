import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import { findFeeState } from '../../src/features/fees/find-fee-state.ts';
import { listFeeDistributions } from '../../src/features/fees/list-fee-distributions.ts';
import { toDistribution } from '../../src/features/fees/record.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { storeFeeDistributions } from '../../src/indexer/store/fee-distributions.ts';
import { claimableMessage, distributionMessage, feeStateMessage } from '../support/market/fees.ts';
import {
  type IngestStream,
  newAddress,
  openIngestStream,
  tokenMessage,
} from '../support/market/ingest-stream.ts';
import { atSlot } from '../support/market/staking.ts';
import { storedEvents } from '../support/rows/stored-events.ts';

let stream: IngestStream;

beforeAll(async () => {
  stream = await openIngestStream();
});
beforeEach(() => stream.reset());

async function distributedOf(mint: string): Promise<string | undefined> {
  const [row] = await stream.db<{ lamports: string }[]>`
    select distributed_lamports::text as lamports from fee_totals where mint_address = ${mint}`;
  return row?.lamports;
}

/** `data` of every payment's event, with the token it is about. */
async function feeEvents(): Promise<{ subject: string; data: { id: string } }[]> {
  const events = await storedEvents(stream.db, 'fee_distribution.completed');
  return events.map(({ subject, data }) => ({ subject, data }));
}

test('the fee state and the claims with the newest slot win, each claim for its own wallet', async () => {
  const [mint, wallet, other] = [newAddress(), newAddress(), newAddress()];
  await stream.feed('fee_state', feeStateMessage(mint, 5));
  await stream.feed('token', tokenMessage(mint));
  for (const slot of [9, 7]) await stream.feed('fee_state', feeStateMessage(mint, slot));
  for (const slot of [4, 8, 6]) await stream.feed('fee_claimable', claimableMessage(mint, wallet, slot));
  await stream.feed('fee_claimable', claimableMessage(mint, other, 3));
  await stream.settle();
  await stream.feed('fee_state', feeStateMessage(mint, 8));
  await stream.feed('fee_claimable', claimableMessage(mint, wallet, 7));
  await stream.settle();
  expect(await findFeeState(stream.db, mint, wallet)).toEqual({
    mintAddress: mint,
    feeBps: { creator: 5_000, platform: 3_000, stakers: 2_000 },
    accruedLamports: '9000',
    distributedLamports: '0',
    claimableLamports: '80',
    slot: '9',
    asOf: atSlot(9),
  });
  expect(await findFeeState(stream.db, mint, other)).toMatchObject({ claimableLamports: '30' });
});

test('a payment that comes twice, in one batch or later, counts once and sends one event', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  for (const number of [1, 2, 1, 2]) await stream.feed('fee_distribution', distributionMessage(mint, number));
  await stream.settle();
  // A transaction that landed again after a rollback has another slot and is the same payment.
  await stream.feed('fee_distribution', distributionMessage(mint, 1, { slot: '777' }));
  // Another instruction of the same transaction is another payment.
  await stream.feed('fee_distribution', distributionMessage(mint, 1, { instructionIndex: 1 }));
  await stream.settle();
  const page = await listFeeDistributions(stream.db, mint, { limit: 10 });
  expect(page?.items.map(({ slot, amountLamports }) => `${slot} ${amountLamports}`)).toEqual([
    '102 20',
    '101 10',
    '101 10',
  ]);
  expect(await distributedOf(mint)).toBe('40');
  const events = await feeEvents();
  expect(events.map(({ data }) => data.id).sort()).toEqual((page?.items ?? []).map(({ id }) => id).sort());
  for (const { subject, data } of events) {
    expect(subject).toBe(mint);
    expect([...Value.Errors(documentedEvents['fee_distribution.completed'].schema, data)]).toEqual([]);
  }
  expect(await stream.rejections()).toEqual([]);
});

test('another payment under a known identity is refused and reported', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  await stream.feed('fee_distribution', distributionMessage(mint, 1));
  await stream.feed('fee_distribution', distributionMessage(mint, 1, { amountLamports: '11' }));
  await stream.settle();
  await stream.feed('fee_distribution', distributionMessage(mint, 1, { role: 'platform' }));
  await stream.settle();
  expect(await stream.rejections()).toMatchObject([
    { reason: 'identity_reused' },
    { reason: 'identity_reused' },
  ]);
  expect(await distributedOf(mint)).toBe('10');
  expect(await feeEvents()).toHaveLength(1);
});

test('payments of a hidden token are kept and announced to nobody', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  await stream.settle();
  await stream.db.begin((transaction) => setTokenHidden(transaction, mint, true));
  await stream.feed('fee_distribution', distributionMessage(mint, 1));
  await stream.settle();
  expect(await feeEvents()).toEqual([]);
  await stream.db.begin((transaction) => setTokenHidden(transaction, mint, false));
  expect(await distributedOf(mint)).toBe('10');
});

test('malformed fees are rejected with the reason and hold up nothing', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  const feeBps = { creator: 5_000, platform: 3_000, stakers: 2_001 };
  await stream.feed('fee_state', feeStateMessage(mint, 1, { feeBps }));
  await stream.feed('fee_claimable', claimableMessage(mint, '1'.repeat(40), 1));
  await stream.feed('fee_distribution', distributionMessage(mint, 1, { amountLamports: '0' }));
  await stream.feed('fee_distribution', distributionMessage(mint, 1, { role: 'nobody' }));
  await stream.feed('fee_distribution', distributionMessage(mint, 2));
  await stream.settle();
  expect(await distributedOf(mint)).toBe('20');
  const rejected = (await stream.rejections()).map(({ subject, reason, detail }) => [
    subject,
    reason,
    detail,
  ]);
  expect(rejected.sort()).toEqual([
    ['ingest.fee_claimable', 'schema_invalid', '/walletAddress Expected an address of 32 bytes'],
    ['ingest.fee_distribution', 'schema_invalid', expect.stringContaining('/amountLamports')],
    ['ingest.fee_distribution', 'schema_invalid', '/role Expected one of creator, platform, stakers'],
    ['ingest.fee_state', 'schema_invalid', '/feeBps Expected at most 10000 together'],
  ]);
});

test('concurrent writers of the same payments in opposite order count each once, with one event', async () => {
  const mints = [newAddress(), newAddress()];
  for (const mint of mints) await stream.feed('token', tokenMessage(mint));
  await stream.settle();
  const payments = mints.flatMap((mint, at) =>
    Array.from({ length: 30 }, (_, number) => distributionMessage(mint, at * 100 + number + 1)),
  );
  const { db, context } = stream;
  await Promise.all(
    Array.from({ length: 6 }, (_, writer) =>
      db.begin((transaction) =>
        storeFeeDistributions(
          transaction,
          context.outbox,
          toDistribution,
          writer % 2 === 0 ? payments : payments.toReversed(),
        ),
      ),
    ),
  );
  const totals = await db`
    select t.distributed_lamports, sum(d.amount_lamports) as paid, count(*)::int as count
    from fee_totals t join fee_distributions d using (mint_address) group by t.mint_address`;
  for (const { distributedLamports, paid, count } of totals)
    expect({ distributedLamports, count }).toEqual({ distributedLamports: paid, count: 30 });
  expect(totals).toHaveLength(2);
  expect(new Set((await feeEvents()).map(({ data }) => data.id)).size).toBe(60);
  expect(await feeEvents()).toHaveLength(60);
});
