import { expect, test } from 'bun:test';
import { poolAuthorities } from '../../src/indexer/holders/protocol-accounts.ts';
import { decodeAddress } from '../../src/shared/address.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { startHolderNode } from '../support/chain/holder-node.ts';
import { RecordedChain } from '../support/chain/recorded-rpc.ts';
import { holderCounter, holdersOf } from '../support/holders/holder-world.ts';
import { knowToken, startIndexer, transactionsOf } from '../support/market/chain-indexer.ts';
import { type CurveFixture, readCurveFixtures } from '../support/pools/curve-fixtures.ts';
import { openDatabase } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';

interface RawBalance {
  accountIndex: number;
  mint: string;
  owner: string;
  uiTokenAmount: { amount: string };
}

/** Wallets with a final balance, from the recorded JSON alone. */
function holdersInTheEnd(fixture: CurveFixture): number {
  const accounts = new Map<string, { owner: string; amount: string }>();
  for (const { meta, transaction } of transactionsOf(fixture)) {
    if (meta.err !== null) continue;
    const { preTokenBalances, postTokenBalances, loadedAddresses } = meta as unknown as {
      preTokenBalances: RawBalance[];
      postTokenBalances: RawBalance[];
      loadedAddresses?: { writable: string[]; readonly: string[] };
    };
    const keys = [
      ...transaction.message.accountKeys,
      ...(loadedAddresses?.writable ?? []),
      ...(loadedAddresses?.readonly ?? []),
    ];
    for (const { accountIndex } of preTokenBalances) accounts.delete(keys[accountIndex] ?? '');
    for (const { accountIndex, mint, owner, uiTokenAmount } of postTokenBalances)
      if (mint === fixture.pool.mintAddress)
        accounts.set(keys[accountIndex] ?? '', { owner, amount: uiTokenAmount.amount });
  }
  const owners = [...accounts.values()].filter(({ amount }) => amount !== '0').map(({ owner }) => owner);
  return new Set(owners.filter((owner) => !poolAuthorities.includes(owner))).size;
}

test('holders are counted by the balances that the indexer reads of a pool', async () => {
  const nats = await createTestNats();
  const connection = await connectBus(nats.url, 'test');
  atEnd(() => connection.close());
  await ensureStreams(connection);
  const db = await openDatabase();
  const chain = new RecordedChain();
  const node = chain.startNode();
  atEnd(async () => void (await node.stop()));
  const fixtures = readCurveFixtures();
  for (const fixture of fixtures) {
    chain.add(...transactionsOf(fixture));
    await knowToken(db, fixture);
  }
  const indexer = startIndexer({ db, connection }, [node.url]);
  const lastSignatures = fixtures.map(
    (fixture) => transactionsOf(fixture).at(-1)?.transaction.signatures[0] ?? '',
  );
  await eventually('all histories are read', async () => {
    const read = await db`select from indexer_cursors where last_signature = any(${lastSignatures})`;
    return read.count === fixtures.length;
  });
  await indexer.stop();
  const counts = fixtures.map(holdersInTheEnd);
  expect(Math.max(...counts)).toBeGreaterThan(1);
  for (const [at, fixture] of fixtures.entries()) {
    const { mintAddress } = fixture.pool;
    expect(await holdersOf(db, mintAddress)).toBeNull();
    // A list of the slot before everything: whoever holds is known by the transactions alone.
    const mint = decodeAddress(mintAddress) ?? new Uint8Array();
    const holders = await startHolderNode({
      mint,
      slot: 0n,
      count: 0,
      accountAt: () => ({ owner: 0, amountRaw: 0n }),
    });
    await db`update holder_counting set next_snapshot_at = 'infinity'`;
    await db`update holder_counting set next_snapshot_at = now() - interval '1 second' where mint_address = ${mintAddress}`;
    expect(await holderCounter(db, [holders.url]).count()).toBe('counted');
    expect(await holdersOf(db, mintAddress)).toMatchObject({
      holderCount: counts[at],
      provenance: 'live_trade_index',
    });
  }
});
