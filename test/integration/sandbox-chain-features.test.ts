import { expect, test } from 'bun:test';
import {
  createAssociatedTokenAccountInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
} from '@solana/spl-token';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { CLUSTER_RENT_LAMPORTS_PER_BYTE, CLUSTER_SLOT_MS } from '../../sandbox/chain/cluster-facts.ts';
import { createChainClient } from '../support/chain/chain-client.ts';
import { MAINNET_GATES } from '../support/chain/mainnet-gates.ts';

const FEATURE_PROGRAM = 'Feature111111111111111111111111111111111111';
/** The chain does what a bot sees of these gates; the virtual machine has nothing that depends on them. */
const DONE_BY_THE_CHAIN = ['reduce_slot_time_to_200ms', 'alpenglow'];
const { chain, connection, payer, rpc, send } = await createChainClient();

test("the virtual machine has active what mainnet has, at mainnet's slots, and nothing that mainnet has not", () => {
  const activated = new Map(
    chain.ledger.vm.getProgramAccounts(FEATURE_PROGRAM).map(({ address, account: { data } }) => {
      const fields = Buffer.from(data);
      return [address, fields[0] === 1 ? fields.readBigUInt64LE(1) : null];
    }),
  );
  const found = MAINNET_GATES.map(({ name, address }) => [name, activated.get(address) ?? null]);
  const expected = MAINNET_GATES.map(({ name, activatedAt }) => [
    name,
    DONE_BY_THE_CHAIN.includes(name) ? null : activatedAt,
  ]);
  expect(found).toEqual(expected);
});

test("pace, block and rent follow from mainnet's gates", async () => {
  const active = MAINNET_GATES.filter(({ activatedAt }) => activatedAt !== null).map(({ name }) => name);
  const least = (gates: RegExp) =>
    Math.min(...active.flatMap((name) => gates.exec(name)?.[1] ?? []).map(Number));
  expect(CLUSTER_SLOT_MS).toBe(least(/^reduce_slot_time_to_(\d+)ms$/));
  expect(CLUSTER_RENT_LAMPORTS_PER_BYTE).toBe(BigInt(least(/^set_lamports_per_byte_to_(\d+)$/)));
  expect((await rpc('sandbox_status')).result).toMatchObject({
    block: { computeUnits: (100_000_000 * CLUSTER_SLOT_MS) / 400 },
  });
});

test('SPL Token is p-token: a transfer takes less than a tenth of the 4,645 units of the program before it', async () => {
  const recipient = Keypair.generate().publicKey;
  const [from, to] = [payer.publicKey, recipient].map((owner) =>
    getAssociatedTokenAddressSync(NATIVE_MINT, owner),
  );
  if (from === undefined || to === undefined) throw new Error('no accounts');
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
  transaction.add(
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: from, lamports: 10_000_000 }),
    createAssociatedTokenAccountInstruction(payer.publicKey, from, payer.publicKey, NATIVE_MINT),
    createAssociatedTokenAccountInstruction(payer.publicKey, to, recipient, NATIVE_MINT),
    createTransferInstruction(from, to, payer.publicKey, 1_000_000),
  );
  transaction.sign(payer);
  const { result, error } = await send(transaction.serialize());
  expect(error).toBeUndefined();
  chain.advanceSlots(1);
  const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
  const landed = await connection.getTransaction(String(result), config);
  const logs = landed?.meta?.logMessages ?? [];
  const units = logs
    .filter((line) => line.startsWith('Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA consumed'))
    .map((line) => Number(/consumed (\d+)/.exec(line)?.[1]));
  expect(units.at(-1)).toBeLessThan(464);
  expect((await connection.getTokenAccountBalance(to)).value.amount).toBe('1000000');
});
