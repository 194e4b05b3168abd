import { expect, test } from 'bun:test';
import {
  AddressLookupTableProgram,
  Keypair,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';

/** The slot hashes of a cluster: a deactivated table lives until its slot is none of them. */
const SLOT_HASHES = 512;
const { chain, connection, payer, rpc, send } = await createChainClient();
const wallet = payer.publicKey;
const blockhashNow = async () => (await connection.getLatestBlockhash()).blockhash;

async function run(instructions: TransactionInstruction[]) {
  const blockhash = await blockhashNow();
  const transaction = new Transaction({ feePayer: wallet, blockhash, lastValidBlockHeight: 0 });
  transaction.add(...instructions).sign(payer);
  return (await send(transaction.serialize())).error ?? null;
}

/** A table with one address, and a transfer to that address by it. */
async function stage() {
  chain.advanceSlots(2);
  const recentSlot = Number(chain.ledger.slot) - 1;
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority: wallet,
    payer: wallet,
    recentSlot,
  });
  const recipient = Keypair.generate().publicKey;
  const owned = { lookupTable: table, authority: wallet };
  const extend = AddressLookupTableProgram.extendLookupTable({
    ...owned,
    payer: wallet,
    addresses: [recipient],
  });
  expect(await run([create, extend])).toBeNull();
  chain.advanceSlots(1);
  const lookup = (await connection.getAddressLookupTable(table)).value;
  if (lookup === null) throw new Error('no table');
  return {
    table,
    recipient,
    deactivate: () => run([AddressLookupTableProgram.deactivateLookupTable(owned)]),
    close: () => run([AddressLookupTableProgram.closeLookupTable({ ...owned, recipient: wallet })]),
    pay: async () => {
      const lamports = LAMPORTS_PER_SOL + Math.floor(Math.random() * 1_000_000);
      const transfer = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: recipient, lamports });
      const message = new TransactionMessage({
        payerKey: wallet,
        recentBlockhash: await blockhashNow(),
        instructions: [transfer],
      }).compileToV0Message([lookup]);
      expect(message.addressTableLookups).toHaveLength(1);
      const transaction = new VersionedTransaction(message);
      transaction.sign([payer]);
      const { error } = await send(transaction.serialize());
      const signature = bs58.encode(transaction.signatures[0] ?? new Uint8Array(64));
      return { signature, err: error?.data?.err ?? null };
    },
  };
}

test('a deactivated table is usable for 512 slots more, and can be closed after them', async () => {
  const { table, deactivate, close, pay } = await stage();
  expect(await deactivate()).toBeNull();
  const deactivatedAt = Number(chain.ledger.slot);
  for (const age of [0, 1, 63, 64, 65, 300, 511, SLOT_HASHES]) {
    chain.advanceSlots(deactivatedAt + age - Number(chain.ledger.slot));
    expect({ age, ...(await pay()) }).toMatchObject({ age, err: null });
    if (age > 0)
      expect((await close())?.data?.err).toMatchObject({ InstructionError: [0, 'InvalidArgument'] });
  }
  chain.advanceSlots(1);
  expect((await pay()).err).toBe('AddressLookupTableNotFound');
  expect(await close()).toBeNull();
  expect(await connection.getAccountInfo(table)).toBeNull();
});

test('slots without a block do not count', async () => {
  const { deactivate, pay } = await stage();
  expect(await deactivate()).toBeNull();
  chain.advanceSlots(6);
  chain.fork({ blocks: 5 });
  chain.advanceSlots(SLOT_HASHES - 2);
  expect((await pay()).err).toBeNull();
  chain.advanceSlots(1);
  expect((await pay()).err).toBe('AddressLookupTableNotFound');
});

test('a parsed transaction has the addresses of its tables once, among its account keys', async () => {
  const { table, recipient, pay } = await stage();
  const { signature } = await pay();
  chain.advanceSlots(1);
  const config = { maxSupportedTransactionVersion: 0, commitment: 'confirmed' };
  const shown = async (encoding: string) =>
    (await rpc('getTransaction', signature, { ...config, encoding })).result as {
      meta: object;
      transaction: { message: { accountKeys: unknown[] } };
    };
  const parsed = await shown('jsonParsed');
  expect(Object.keys(parsed.meta)).not.toContain('loadedAddresses');
  expect(parsed.transaction.message.accountKeys).toContainEqual({
    pubkey: recipient.toBase58(),
    signer: false,
    source: 'lookupTable',
    writable: true,
  });
  const raw = { readonly: [], writable: [recipient.toBase58()] };
  expect((await shown('json')).meta).toMatchObject({ loadedAddresses: raw });
  const block = await rpc('getBlock', Number(chain.ledger.slot) - 1, { ...config, encoding: 'jsonParsed' });
  expect(JSON.stringify(block)).not.toContain('loadedAddresses');
  expect(JSON.stringify(block)).toContain(table.toBase58());
});

test.each([
  ['base58', (bytes: Buffer) => bs58.encode(bytes)],
  ['base64', (bytes: Buffer) => bytes.toString('base64')],
  ['bytes', (bytes: Buffer) => [...bytes]],
] as const)('memcmp takes 128 bytes in %s, and no more', async (encoding, encode) => {
  const filtered = (length: number, fill: number) =>
    rpc('getProgramAccounts', SystemProgram.programId.toBase58(), {
      encoding: 'base64',
      filters: [{ memcmp: { offset: 0, bytes: encode(Buffer.alloc(length, fill)), encoding } }],
    });
  for (const fill of [0, 1, 255]) {
    expect(await filtered(128, fill)).toMatchObject({ result: [] });
    expect(await filtered(129, fill)).toMatchObject({
      error: { code: -32602, message: 'Invalid param: DataTooLarge' },
    });
  }
  expect(await filtered(1_000, 1)).toMatchObject({ error: { code: -32602 } });
});
