import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { findStakingPool } from '../../src/features/staking/find-staking-pool.ts';
import { listLeaderboard } from '../../src/features/staking/list-leaderboard.ts';
import { listOwnedPositions } from '../../src/features/staking/list-owned-positions.ts';
import { applyBatch } from '../../src/indexer/ingest/apply-batch.ts';
import { WaitingProofs } from '../../src/indexer/ingest/waiting-proofs.ts';
import { storeStakingPositions } from '../../src/indexer/store/staking-positions.ts';
import { ingestSubject } from '../../src/shared/bus/topology.ts';
import { untilBlockedBy } from '../support/database/held-locks.ts';
import {
  type IngestStream,
  newAddress,
  openIngestStream,
  tokenMessage,
} from '../support/market/ingest-stream.ts';
import { atSlot, poolMessage, positionMessage } from '../support/market/staking.ts';
import { eventually } from '../support/run/eventually.ts';

let stream: IngestStream;

beforeAll(async () => {
  stream = await openIngestStream();
});
beforeEach(() => stream.reset());

/** Expects the stored totals to equal the sums of the positions. */
async function expectTotalsOfPositions(): Promise<void> {
  const [totals, sums] = await Promise.all([
    stream.db`
      select mint_address, wallet_address, staked_raw, staked_since from staking_totals
      order by mint_address, wallet_address`,
    stream.db`select mint_address, staked_raw from staking_sums where staked_raw > 0 order by mint_address`,
  ]);
  const expectedTotals = await stream.db`
    select mint_address, wallet_address, sum(staked_raw) as staked_raw, min(staked_at) as staked_since
    from staking_positions where staked_raw > 0 group by mint_address, wallet_address
    order by mint_address, wallet_address`;
  const expectedSums = await stream.db`
    select mint_address, sum(staked_raw) as staked_raw from staking_positions where staked_raw > 0
    group by mint_address order by mint_address`;
  expect([...totals]).toEqual([...expectedTotals]);
  expect([...sums]).toEqual([...expectedSums]);
}

test('the staking pool with the newest slot wins, in one batch or later, and only changes reach the caches', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  for (const slot of [5, 9, 7]) await stream.feed('staking_pool', poolMessage(mint, slot));
  await stream.settle();
  const told = stream.changed.length;
  await stream.feed('staking_pool', poolMessage(mint, 8));
  await stream.feed('staking_pool', poolMessage(mint, 9));
  await stream.settle();
  expect(await findStakingPool(stream.db, mint)).toEqual({
    ...poolMessage(mint, 9),
    mintAddress: mint,
    asOf: atSlot(9),
  });
  expect(stream.changed).toHaveLength(told);
});

test('positions add up per wallet, however often and in whatever order they come', async () => {
  const [mint, wallet, other] = [newAddress(), newAddress(), newAddress()];
  const first = positionMessage(mint, wallet, 10, { stakedRaw: '70', stakedAt: atSlot(3) });
  const second = positionMessage(mint, wallet, 11, { stakedRaw: '30', stakedAt: atSlot(1) });
  await stream.feed('staking_position', first);
  await stream.feed('token', tokenMessage(mint));
  await stream.feed('staking_pool', poolMessage(mint, 20, { totalStakedRaw: '400' }));
  for (const message of [
    second,
    first,
    second,
    positionMessage(mint, other, 12, { stakedRaw: '100', stakedAt: atSlot(2) }),
  ])
    await stream.feed('staking_position', message);
  await stream.settle();
  await expectTotalsOfPositions();
  expect((await listLeaderboard(stream.db, mint))?.data).toMatchObject([
    { rank: 1, walletAddress: wallet, stakedRaw: '100', shareBps: 2_500, stakedSince: atSlot(1) },
    { rank: 1, walletAddress: other, stakedRaw: '100', shareBps: 2_500 },
  ]);
  // The older stake is closed by a newer observation; an older one comes late and changes nothing.
  let told = stream.changed.length;
  await stream.feed('staking_position', { ...second, stakedRaw: '0', slot: '30', asOf: atSlot(30) });
  await stream.settle();
  expect(stream.changed.slice(told)).toEqual([mint]);
  told = stream.changed.length;
  await stream.feed('staking_position', { ...second, stakedRaw: '999', slot: '29', asOf: atSlot(29) });
  await stream.settle();
  expect(stream.changed).toHaveLength(told);
  await expectTotalsOfPositions();
  const board = await listLeaderboard(stream.db, mint);
  expect(board?.asOf).toBe(atSlot(30));
  expect(board?.data).toMatchObject([
    { rank: 1, walletAddress: other, stakedRaw: '100' },
    { rank: 2, walletAddress: wallet, stakedRaw: '70', stakedSince: atSlot(3) },
  ]);
});

test('a closed position stays with its owner while rewards wait, and goes when they are claimed', async () => {
  const [mint, wallet] = [newAddress(), newAddress()];
  await stream.feed('token', tokenMessage(mint));
  await stream.feed('staking_pool', poolMessage(mint, 1));
  const position = positionMessage(mint, wallet, 2, { unlocksAt: atSlot(99) });
  await stream.feed('staking_position', position);
  const closed = { ...position, stakedRaw: '0', pendingRewardsRaw: '5', slot: '3', unlocksAt: undefined };
  await stream.feed('staking_position', closed);
  await stream.settle();
  const owned = async () => (await listOwnedPositions(stream.db, mint, wallet))?.data;
  expect(await owned()).toMatchObject([{ stakedRaw: '0', pendingRewardsRaw: '5', unlocksAt: null }]);
  await stream.feed('staking_position', { ...closed, pendingRewardsRaw: '0', slot: '4' });
  await stream.settle();
  expect(await owned()).toEqual([]);
  expect((await listLeaderboard(stream.db, mint))?.data).toEqual([]);
  await expectTotalsOfPositions();
});

test('a position never changes its wallet or its token, in one batch or later, and the attempt is reported', async () => {
  const [mint, otherMint, wallet, thief] = [newAddress(), newAddress(), newAddress(), newAddress()];
  for (const one of [mint, otherMint]) await stream.feed('token', tokenMessage(one));
  const position = positionMessage(mint, wallet, 1);
  await stream.feed('staking_position', position);
  await stream.feed('staking_position', { ...position, walletAddress: thief, slot: '2' });
  await stream.settle();
  await stream.feed('staking_position', { ...position, mintAddress: otherMint, slot: '3' });
  await stream.feed('staking_position', { ...position, stakedRaw: '11', slot: '4' });
  await stream.settle();
  const rows = await stream.db`select mint_address, wallet_address, staked_raw from staking_positions`;
  expect([...rows]).toEqual([{ mintAddress: mint, walletAddress: wallet, stakedRaw: '11' }]);
  const detail = position.positionAddress;
  const rejection = { reason: 'position_owner_changed', detail, subject: 'ingest.staking_position' };
  expect(await stream.rejections()).toMatchObject([rejection, rejection]);
  await expectTotalsOfPositions();
});

test('when two tokens claim one position at once, the one stored first keeps it', async () => {
  const [mint, otherMint] = [newAddress(), newAddress()];
  for (const one of [mint, otherMint]) await stream.feed('token', tokenMessage(one));
  await stream.settle();
  const position = positionMessage(mint, newAddress(), 1);
  const claim = { ...position, mintAddress: otherMint, slot: '9', asOf: atSlot(9) };
  const { db } = stream;
  const second = Promise.withResolvers<unknown>();
  await db.begin(async (transaction) => {
    await storeStakingPositions(transaction, [position]);
    db.begin((other) => storeStakingPositions(other, [claim])).then(second.resolve, second.reject);
    await untilBlockedBy(transaction, 'the second waits for the first');
  });
  expect(await second.promise).toEqual({
    changedMints: [],
    unknownMints: new Set(),
    foreign: new Set([claim]),
  });
  const rows = await db`select mint_address, slot from staking_positions`;
  expect([...rows]).toEqual([{ mintAddress: mint, slot: 1n }]);
  await expectTotalsOfPositions();
});

test('malformed and unknown are rejected with the reason and hold up nothing', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  await stream.feed('staking_pool', poolMessage(mint, 1, { status: 'open' }));
  await stream.feed('staking_pool', poolMessage(mint, 1, { totalStakedRaw: '1.5' }));
  await stream.feed('staking_position', positionMessage(mint, newAddress(), 1, { stakedRaw: '-1' }));
  await stream.feed('staking_position', positionMessage(mint, '1'.repeat(40), 1));
  await stream.feed('staking_pool', poolMessage(mint, 2));
  await stream.settle();
  expect((await findStakingPool(stream.db, mint))?.slot).toBe('2');
  const reasons = (await stream.rejections()).map(({ subject, reason }) => `${subject} ${reason}`);
  expect(reasons.sort()).toEqual([
    'ingest.staking_pool schema_invalid',
    'ingest.staking_pool schema_invalid',
    'ingest.staking_position schema_invalid',
    'ingest.staking_position schema_invalid',
  ]);
  const unknown = [
    ['staking_pool', poolMessage(newAddress(), 1)],
    ['staking_position', positionMessage(newAddress(), newAddress(), 1)],
  ] as const;
  const verdicts = await applyBatch(
    stream.context,
    unknown.map(([kind, message], at) => ({
      seq: at + 1,
      subject: ingestSubject(kind),
      data: new TextEncoder().encode(JSON.stringify(message)),
    })),
    new WaitingProofs(),
  );
  expect(verdicts).toMatchObject([
    { outcome: 'waiting', reason: 'unknown_token' },
    { outcome: 'waiting', reason: 'unknown_token' },
  ]);
});

test('writers of the same tokens and wallets in opposite order neither deadlock nor miscount', async () => {
  const mints = [newAddress(), newAddress(), newAddress()];
  const wallets = [newAddress(), newAddress(), newAddress()];
  for (const mint of mints) await stream.feed('token', tokenMessage(mint));
  await stream.settle();
  const positions = mints.flatMap((mint) => wallets.map((wallet) => positionMessage(mint, wallet, 1)));
  const rounds = Array.from({ length: 12 }, (_, round) => {
    const changed = positions.map((position, at) => ({
      ...position,
      stakedRaw: String((round * 7 + at * 3) % 5),
      slot: String(1 + ((round * 5) % 12)),
    }));
    return round % 2 === 0 ? changed : changed.toReversed();
  });
  await Promise.all(
    rounds.map((round) => stream.db.begin((transaction) => storeStakingPositions(transaction, round))),
  );
  await expectTotalsOfPositions();
  const [slots] = await stream.db`select min(slot) as min, max(slot) as max from staking_positions`;
  expect(slots).toEqual({ min: 12n, max: 12n });
});

test('two workers share the stream, also when connections die under them', async () => {
  const mints = [newAddress(), newAddress()];
  const wallets = Array.from({ length: 5 }, newAddress);
  for (const mint of mints) await stream.feed('token', tokenMessage(mint));
  const positions = mints.flatMap((mint) => wallets.map((wallet) => positionMessage(mint, wallet, 1)));
  await stream.withWorkers(2, async () => {
    for (let slot = 1; slot <= 40; slot += 1) {
      for (const position of positions)
        await stream.feed('staking_position', {
          ...position,
          stakedRaw: String(slot % 7),
          slot: String(slot),
        });
      if (slot === 20) {
        await stream.db`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`;
      }
    }
    await eventually('settled', () => stream.isSettled());
  });
  const rows = await stream.db`select distinct staked_raw, slot from staking_positions`;
  expect([...rows]).toEqual([{ stakedRaw: '5', slot: 40n }]);
  await expectTotalsOfPositions();
  expect(await stream.rejections()).toEqual([]);
});
