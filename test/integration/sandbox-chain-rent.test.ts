import { describe, expect, test } from 'bun:test';
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import fc from 'fast-check';
import type { LedgerChange } from '../../sandbox/chain/ledger-listener.ts';
import { startChain } from '../../sandbox/chain/server.ts';
import { callRpc, createChainClient } from '../support/chain/chain-client.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const RENT_SYSVAR = new PublicKey('SysvarRent111111111111111111111111111111111');
/** The steps of SIMD-0437, and what was before them. */
const STEPS = [6_960, 6_333, 5_080, 2_575, 1_322, 696];
const { chain, connection, payer, rpc, send } = await createChainClient();

/** Opens an account of `space` bytes with these lamports. @returns the error of the landed or refused transaction */
async function open(space: number, lamports: number): Promise<unknown> {
  const account = Keypair.generate();
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    blockhash,
    lastValidBlockHeight: 0,
  });
  const { programId } = SystemProgram;
  const accounts = { fromPubkey: payer.publicKey, newAccountPubkey: account.publicKey };
  transaction.add(SystemProgram.createAccount({ ...accounts, lamports, space, programId }));
  transaction.sign(payer, account);
  const { error } = await send(transaction.serialize());
  return error?.data?.err ?? null;
}

const sysvarOf = async (commitment: 'processed' | 'finalized') => {
  const account = await connection.getAccountInfo(RENT_SYSVAR, commitment);
  return account?.data.readBigUInt64LE(0);
};

describe('rent', () => {
  test("is the cluster's on a new chain, another one where it is asked for, and a saved one after a restart", async () => {
    expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(1_488_440);
    const dataDir = createTempDir('chain-rent');
    const first = await startChain({ slotMs: 'manual', dataDir, rentLamportsPerByte: 6_960n });
    expect(first.ledger.vm.rentExemptLamports(165)).toBe(2_039_280n);
    await callRpc(first.rpcUrl, 'sandbox_setRent', 6_333);
    await first.stop();
    const second = await startChain({ slotMs: 'manual', dataDir });
    expect(second.ledger.vm.rentExemptLamports(165)).toBe(1_855_569n);
    await second.stop();
    const third = await startChain({ slotMs: 'manual', dataDir, rentLamportsPerByte: 696n });
    atEnd(() => third.stop());
    expect((await callRpc(third.rpcUrl, 'getMinimumBalanceForRentExemption', 165)).result).toBe(203_928);
  });

  test('is the same in the sysvar, in the method and in the checks of transactions, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom(...STEPS), fc.integer({ min: 1, max: 20_000 })),
        fc.integer({ min: 0, max: 1_000 }),
        async (lamportsPerByte, space) => {
          chain.advanceSlots(1);
          expect((await rpc('sandbox_setRent', lamportsPerByte)).result).toBe(Number(chain.ledger.slot));
          const least = (128 + space) * lamportsPerByte;
          expect(await connection.getMinimumBalanceForRentExemption(space)).toBe(least);
          expect(await sysvarOf('processed')).toBe(BigInt(lamportsPerByte));
          expect(await open(space, least)).toBeNull();
          expect(await open(space, least - 1)).toEqual({ InsufficientFundsForRent: { account_index: 1 } });
        },
      ),
      { numRuns: 15, examples: STEPS.map((step) => [step, 165] as [number, number]) },
    );
  });

  test('of an older slot is read at an older commitment, a fork takes a change back, and accounts that were rent-exempt stay usable', async () => {
    await rpc('sandbox_setRent', 5_080);
    const poor = Keypair.generate();
    await connection.requestAirdrop(poor.publicKey, 128 * 5_080);
    chain.advanceSlots(40);
    await rpc('sandbox_setRent', 6_960);
    expect(await sysvarOf('processed')).toBe(6_960n);
    expect(await sysvarOf('finalized')).toBe(5_080n);
    expect(await connection.getMinimumBalanceForRentExemption(0)).toBe(128 * 6_960);
    expect((await rpc('sandbox_status')).result).toMatchObject({ rentLamportsPerByte: 6_960 });
    chain.fork({ blocks: 1 });
    expect(await sysvarOf('processed')).toBe(5_080n);
    expect(await connection.getMinimumBalanceForRentExemption(0)).toBe(128 * 5_080);
  });

  test('is announced when it changes: subscribers of the sysvar see it', async () => {
    const changed: string[] = [];
    const listener = {
      changed: ({ accounts }: LedgerChange) => void changed.push(...accounts),
      forked: () => {},
      slotEntered: () => {},
    };
    chain.ledger.listeners.add(listener);
    await rpc('sandbox_setRent', 2_575);
    chain.ledger.listeners.delete(listener);
    expect(changed).toEqual([RENT_SYSVAR.toBase58()]);
  });

  test.each([0, -1, 0.5, '5080', null, 1_000_001])('is not %p', async (lamportsPerByte) => {
    expect((await rpc('sandbox_setRent', lamportsPerByte)).error?.code).toBe(-32602);
  });
});
