import { expect, test } from 'bun:test';
import { Keypair, PublicKey } from '@solana/web3.js';
import { EPOCH_SCHEDULE_SYSVAR, readNextEpochSlot } from '../../src/chain/accounts/sysvars.ts';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';

const { chain, connection, payer, rpc, send, signed, latestBlockhash } = await createChainClient();

test('@solana/web3.js reads what a cluster of one node says of itself', async () => {
  const schedule = await connection.getEpochSchedule();
  expect(schedule).toMatchObject({ slotsPerEpoch: 432_000, warmup: false });
  expect(readNextEpochSlot(chain.ledger.vm.getAccount(EPOCH_SCHEDULE_SYSVAR), 2_015n)).toBe(432_000n);
  const leader = await connection.getSlotLeader();
  expect(new PublicKey(leader).toBase58()).toBe(leader);
  expect((await connection.getSlotLeaders(5, 3)).map(String)).toEqual([leader, leader, leader]);
  expect((await connection.getLeaderSchedule())[leader]).toHaveLength(432_000);
  expect(await connection.getVoteAccounts()).toEqual({ current: [], delinquent: [] });
  expect(await connection.getClusterNodes()).toMatchObject([{ pubkey: leader }]);
  expect(await connection.getInflationGovernor()).toMatchObject({ initial: 0 });
  expect(await connection.getInflationReward([payer.publicKey])).toEqual([null]);
  const slot = await connection.getSlot();
  const { byIdentity, range } = (await connection.getBlockProduction()).value;
  expect(byIdentity).toEqual({ [leader]: [slot + 1, slot + 1] });
  expect(range).toEqual({ firstSlot: 0, lastSlot: slot });
});

test('supply and largest accounts are those of the accounts there are', async () => {
  const rich = Keypair.generate().publicKey;
  await connection.requestAirdrop(rich, 1_000_000 * LAMPORTS_PER_SOL);
  const supply = (await connection.getSupply({ commitment: 'processed' })).value;
  const largest = (await connection.getLargestAccounts({ commitment: 'processed' })).value;
  expect(largest.map(({ address }) => address.toBase58())).toContain(rich.toBase58());
  expect(largest.length).toBeLessThanOrEqual(20);
  const sorted = largest.map(({ lamports }) => lamports).sort((one, other) => other - one);
  expect(largest.map(({ lamports }) => lamports)).toEqual(sorted);
  expect(supply.total).toBe(supply.circulating);
  expect(supply.total).toBeGreaterThanOrEqual(1_000_000 * LAMPORTS_PER_SOL);
});

test('counts of transactions follow the commitment', async () => {
  chain.advanceSlots(20);
  const before = await connection.getTransactionCount('processed');
  const finalizedBefore = await connection.getTransactionCount('finalized');
  const transaction = await signed(await latestBlockhash(), LAMPORTS_PER_SOL);
  await send(transaction.serialize());
  expect(await connection.getTransactionCount('processed')).toBe(before + 1);
  expect(await connection.getTransactionCount('finalized')).toBe(finalizedBefore);
  chain.advanceSlots(20);
  expect(await connection.getTransactionCount('finalized')).toBe(finalizedBefore + 1);
});

test('memcmp takes bytes as an array, and getBlock shows accounts only when asked to', async () => {
  const program = '11111111111111111111111111111111';
  const filters = [{ memcmp: { offset: 0, bytes: [1, 2, 3] } }];
  expect(await rpc('getProgramAccounts', program, { filters, encoding: 'base64' })).toMatchObject({
    result: [],
  });
  expect(
    await rpc('getProgramAccounts', program, { filters: [{ memcmp: { offset: 0, bytes: [256] } }] }),
  ).toMatchObject({ error: { code: -32602 } });
  chain.advanceSlots(1);
  const transaction = await signed(await latestBlockhash(), LAMPORTS_PER_SOL);
  const { result: signature } = await send(transaction.serialize());
  const slot = Number(chain.ledger.slot);
  chain.advanceSlots(1);
  const config = {
    transactionDetails: 'accounts',
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  };
  const { result } = await rpc('getBlock', slot, config);
  const { transactions } = result as { transactions: Record<string, Record<string, unknown>>[] };
  expect(transactions).toHaveLength(1);
  expect(transactions[0]?.transaction).toMatchObject({
    signatures: [signature],
    accountKeys: [{ pubkey: payer.publicKey.toBase58(), signer: true, writable: true }, {}, {}],
  });
  expect(Object.keys(transactions[0]?.meta ?? {}).sort()).toEqual([
    'err',
    'fee',
    'postBalances',
    'postTokenBalances',
    'preBalances',
    'preTokenBalances',
    'status',
  ]);
});
