import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type SandboxChain, type SandboxNode, startChain } from '../../sandbox/chain/server.ts';
import { SPL_TOKEN, TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import { createFinalizedSlotSource } from '../../src/chain/finalized-slot.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import { readFinalizedBalance } from '../../src/features/predictions/submissions/read-finalized-balance.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { tokenAccount } from '../support/pools/pool-accounts.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { startLyingNode } from '../support/trading/lying-node.ts';

/** One slot, as with Alpenglow, the sandbox's own, and a cluster's under TowerBFT. */
describe.each([1, 8, 31])('on a chain whose blocks are final after %d slots,', (finalizedAfterSlots) => {
  let chain: SandboxChain;
  let second: SandboxNode;

  beforeAll(async () => {
    chain = await startChain({ slotMs: 'manual', finalizedAfterSlots });
    atEnd(() => chain.stop());
    second = chain.addNode();
    chain.advanceSlots(2_000);
  });

  beforeEach(() => {
    chain.setFaults({});
    second.setFaults({});
  });

  const shared = { lamports: 2_039_280n, executable: false, rentEpoch: 0n };

  function addMint(program: string): string {
    const mint = newAddress();
    const data = Buffer.alloc(82);
    data[45] = 1;
    chain.ledger.setAccount(mint, { ...shared, owner: program, data });
    return mint;
  }

  const give = (wallet: string, mint: string, amountRaw: bigint, program: string) =>
    chain.ledger.setAccount(newAddress(), {
      ...shared,
      ...tokenAccount(mint, wallet, amountRaw, { program }),
    });

  const finalizedSlotOf = (urls: string[]) =>
    createFinalizedSlotSource({
      rpcs: createChainRpcs(urls),
      clock: systemClock,
      chainHead: {
        current: () => ({ slot: chain.ledger.slot, blockHeight: 0n, observedAt: systemClock.now() }),
      },
    });

  /** Both nodes say what is final; the balance comes from these. */
  const read = (wallet: string, mint: string, urls = [chain.rpcUrl, second.rpcUrl]) =>
    readFinalizedBalance(
      {
        rpcs: createChainRpcs(urls),
        newestFinalizedSlot: finalizedSlotOf([chain.rpcUrl, second.rpcUrl]),
      },
      wallet,
      mint,
    );

  describe('the finalized balance', () => {
    test.each([SPL_TOKEN, TOKEN_2022])(
      'sums the accounts of the wallet under %s, and nobody else’s',
      async (program) => {
        const [wallet, mint] = [newAddress(), addMint(program)];
        give(wallet, mint, 2n ** 63n, program);
        give(wallet, mint, 5n, program);
        give(newAddress(), mint, 7n, program);
        give(wallet, addMint(program), 9n, program);
        chain.advanceSlots(finalizedAfterSlots + 1);
        const answer = await read(wallet, mint);
        expect(answer).toMatchObject({ ok: true, value: { amountRaw: 2n ** 63n + 5n } });
      },
    );

    test('is that of the finalized slot: a confirmed balance does not count', async () => {
      const [wallet, mint] = [newAddress(), addMint(SPL_TOKEN)];
      chain.advanceSlots(finalizedAfterSlots + 1);
      give(wallet, mint, 5n, SPL_TOKEN);
      chain.advanceSlots(finalizedAfterSlots - 1);
      expect(await read(wallet, mint)).toMatchObject({ ok: true, value: { amountRaw: 0n } });
      chain.advanceSlots(finalizedAfterSlots + 1);
      const answer = await read(wallet, mint);
      expect(answer).toMatchObject({ ok: true, value: { amountRaw: 5n } });
      if (answer.ok) expect(answer.value.slot).toBeLessThan(chain.ledger.slot);
    });

    test('of a mint that no finalized slot knows is zero, at a slot', async () => {
      expect(await read(newAddress(), newAddress())).toMatchObject({ ok: true, value: { amountRaw: 0n } });
    });

    test('is never taken from a node that lags far: the next node is asked', async () => {
      const [wallet, mint] = [newAddress(), addMint(SPL_TOKEN)];
      give(wallet, mint, 5n, SPL_TOKEN);
      chain.advanceSlots(1_000);
      chain.setFaults({ lagSlots: 60 });
      expect(await read(wallet, mint, [chain.rpcUrl])).toMatchObject({ ok: true, value: { amountRaw: 5n } });
      chain.setFaults({ lagSlots: 70 });
      expect(await read(wallet, mint)).toMatchObject({ ok: true, value: { amountRaw: 5n } });
      expect(await read(wallet, mint, [chain.rpcUrl])).toMatchObject({ ok: false });
      expect(await read(wallet, newAddress(), [chain.rpcUrl])).toMatchObject({ ok: false });
    });

    test('is read of an honest node, whatever another one reports as final', async () => {
      const [wallet, mint] = [newAddress(), addMint(SPL_TOKEN)];
      give(wallet, mint, 5n, SPL_TOKEN);
      chain.advanceSlots(finalizedAfterSlots + 1);
      const liar = startLyingNode(() => chain.rpcUrl);
      liar.change = (method, result) => (method === 'getSlot' ? result + 1_000_000 : null);
      const said = finalizedSlotOf([liar.rpcUrl]);
      expect(await said()).toBe(chain.ledger.slot);
      const rpcs = createChainRpcs([chain.rpcUrl]);
      const answer = await readFinalizedBalance({ rpcs, newestFinalizedSlot: said }, wallet, mint);
      expect(answer).toMatchObject({ ok: true, value: { amountRaw: 5n } });
      // It was asked once for both.
      expect(liar.seen('getSlot')).toBe(1);
    });

    test('is not taken from a node that answers with other accounts than asked for', async () => {
      const [wallet, mint] = [newAddress(), newAddress()];
      const other = tokenAccount(newAddress(), wallet, 1_000n);
      const data = [Buffer.from(other.data).subarray(0, 72).toString('base64'), 'base64'];
      const account = { data, owner: SPL_TOKEN, lamports: 1, executable: false, rentEpoch: 0, space: 165 };
      const result = { context: { slot: 1, apiVersion: '3' }, value: [{ pubkey: mint, account }] };
      const liar = Bun.serve({ port: 0, fetch: () => Response.json({ jsonrpc: '2.0', id: 1, result }) });
      atEnd(() => liar.stop(true));
      expect(await read(wallet, mint, [`http://127.0.0.1:${liar.port}`])).toMatchObject({ ok: false });
    });
  });
});
