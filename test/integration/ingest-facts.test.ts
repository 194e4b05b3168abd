import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { findHolderStats } from '../../src/features/market/find-holder-stats.ts';
import { findMarketSnapshot } from '../../src/features/market/find-market-snapshot.ts';
import {
  type IngestStream,
  newAddress,
  openIngestStream,
  tokenMessage,
} from '../support/market/ingest-stream.ts';

let stream: IngestStream;

beforeAll(async () => {
  stream = await openIngestStream();
});
beforeEach(() => stream.reset());

function holderMessage(mintAddress: string, slot: number, changes: Record<string, unknown> = {}) {
  const asOf = new Date(Date.UTC(2026, 0, 1) + slot * 400).toISOString();
  return {
    mintAddress,
    holderCount: slot * 10,
    provenance: 'live_trade_index',
    slot: String(slot),
    asOf,
    ...changes,
  };
}

function lockMessage(mintAddress: string, slot: number, changes: Record<string, unknown> = {}) {
  const asOf = new Date(Date.UTC(2026, 0, 1) + slot * 400).toISOString();
  const poolAddress = mintAddress;
  return {
    mintAddress,
    poolAddress,
    positionCount: 2,
    permanentlyLockedBps: slot,
    slot: String(slot),
    asOf,
    ...changes,
  };
}

test('the holder count with the newest slot wins, in one batch or later, in the snapshot too', async () => {
  const mint = newAddress();
  await stream.feed('holder_count', holderMessage(mint, 5));
  await stream.feed('holder_count', holderMessage(mint, 9, { provenance: 'onchain_snapshot' }));
  await stream.feed('holder_count', holderMessage(mint, 7));
  await stream.feed('token', tokenMessage(mint));
  await stream.settle();
  await stream.feed('holder_count', holderMessage(mint, 8));
  await stream.feed('holder_count', holderMessage(mint, 9, { provenance: 'onchain_snapshot' }));
  const told = stream.changed.length;
  await stream.settle();
  expect(await findHolderStats(stream.db, mint)).toEqual({
    mintAddress: mint,
    holderCount: 90,
    provenance: 'onchain_snapshot',
    slot: '9',
    asOf: '2026-01-01T00:00:03.600Z',
  });
  expect(await findMarketSnapshot(stream.db, mint)).toMatchObject({ holderCount: 90 });
  // Only changes reach the caches.
  expect(stream.changed).toHaveLength(told);
  await stream.feed('holder_count', holderMessage(mint, 10, { holderCount: 0 }));
  await stream.settle();
  expect(await findMarketSnapshot(stream.db, mint)).toMatchObject({ holderCount: 0 });
});

test('the liquidity lock with the newest slot wins', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  for (const slot of [30, 10_000, 20]) await stream.feed('liquidity_lock', lockMessage(mint, slot));
  await stream.settle();
  const rows =
    await stream.db`select mint_address, position_count, permanently_locked_bps, slot from liquidity_locks`;
  expect([...rows]).toEqual([
    { mintAddress: mint, positionCount: 2, permanentlyLockedBps: 10_000, slot: 10_000n },
  ]);
});

test('a time counts with any offset that RFC 3339 has, also where Postgres knows none', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint, { launchedAt: '2026-01-01T23:58:59+23:59' }));
  await stream.feed('holder_count', holderMessage(mint, 1, { asOf: '2025-12-31t08:00:00.0001000000-16:00' }));
  await stream.settle();
  expect(await stream.rejections()).toEqual([]);
  expect((await findHolderStats(stream.db, mint))?.asOf).toBe('2026-01-01T00:00:00.000Z');
  const rows = await stream.db`select launched_at from tokens where mint_address = ${mint}`;
  expect([...rows]).toEqual([{ launchedAt: new Date('2025-12-31T23:59:59Z') }]);
});

test('malformed facts are rejected with the reason', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  await stream.feed('holder_count', holderMessage(mint, 1, { holderCount: -1 }));
  await stream.feed('holder_count', holderMessage(mint, 1, { provenance: 'a guess' }));
  await stream.feed('holder_count', holderMessage(mint, 1, { asOf: '2026-02-31T99:00:00Z' }));
  await stream.feed('liquidity_lock', lockMessage(mint, 1, { permanentlyLockedBps: 10_001 }));
  await stream.feed('liquidity_lock', lockMessage(mint, 1, { poolAddress: '1'.repeat(40) }));
  await stream.feed('trade_reverted', { transactionSignature: 'short', outerIndex: 0, innerIndex: 0 });
  await stream.feed('holder_count', holderMessage(mint, 2));
  await stream.settle();
  expect((await findHolderStats(stream.db, mint))?.slot).toBe('2');
  expect(
    (await stream.rejections()).map(({ subject, reason, detail }) => `${subject} ${reason} ${detail}`).sort(),
  ).toEqual([
    'ingest.holder_count schema_invalid /asOf Expected an existing time of the years 1 to 9999',
    'ingest.holder_count schema_invalid /holderCount Expected integer to be greater or equal to 0',
    'ingest.holder_count schema_invalid /provenance Expected one of live_trade_index, trade_replay, onchain_snapshot',
    'ingest.liquidity_lock schema_invalid /permanentlyLockedBps Expected integer to be less or equal to 10000',
    'ingest.liquidity_lock schema_invalid /poolAddress Expected an address of 32 bytes',
    expect.stringMatching(
      /^ingest\.trade_reverted schema_invalid \/transactionSignature Expected string to match/,
    ),
  ]);
});
