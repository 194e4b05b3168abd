import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  createAssociatedTokenAccountInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  type PublicKey,
  SystemProgram,
  type TokenBalance,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';

const SOL = 1_000_000_000;
let chain: SandboxChain;
let connection: Connection;
let payer: Keypair;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  connection = new Connection(chain.rpcUrl, 'confirmed');
  payer = Keypair.generate();
  await connection.requestAirdrop(payer.publicKey, 1_000 * SOL);
  chain.advanceSlots(1);
});
afterAll(async () => {
  await chain.stop();
});

/** Signs, sends and confirms by moving the chain one slot on. */
async function run(instructions: TransactionInstruction[], ...signers: Keypair[]): Promise<string> {
  const latest = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(...instructions);
  transaction.sign(payer, ...signers);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  chain.advanceSlots(1);
  return signature;
}

function transferTo(address: PublicKey, lamports = SOL): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: address, lamports });
}

interface TokenFixture {
  readonly mint: PublicKey;
  readonly from: PublicKey;
  readonly to: PublicKey;
  readonly other: PublicKey;
  readonly created: string;
  readonly moved: string;
}

/** A mint with 6 decimals; 5 tokens minted to the payer, 1.25 moved on to another owner. */
async function tokenFixture(program: PublicKey): Promise<TokenFixture> {
  const mint = Keypair.generate();
  const other = Keypair.generate().publicKey;
  const lamports = await connection.getMinimumBalanceForRentExemption(MINT_SIZE);
  const account = (owner: PublicKey) => getAssociatedTokenAddressSync(mint.publicKey, owner, false, program);
  const create = (owner: PublicKey) =>
    createAssociatedTokenAccountInstruction(payer.publicKey, account(owner), owner, mint.publicKey, program);
  const created = await run(
    [
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: mint.publicKey,
        lamports,
        space: MINT_SIZE,
        programId: program,
      }),
      createInitializeMint2Instruction(mint.publicKey, 6, payer.publicKey, null, program),
      create(payer.publicKey),
      createMintToInstruction(
        mint.publicKey,
        account(payer.publicKey),
        payer.publicKey,
        5_000_000n,
        [],
        program,
      ),
    ],
    mint,
  );
  const moved = await run([
    create(other),
    createTransferCheckedInstruction(
      account(payer.publicKey),
      mint.publicKey,
      account(other),
      payer.publicKey,
      1_250_000n,
      6,
      [],
      program,
    ),
  ]);
  return { mint: mint.publicKey, from: account(payer.publicKey), to: account(other), other, created, moved };
}

for (const [name, program] of [
  ['spl-token', TOKEN_PROGRAM_ID],
  ['spl-token-2022', TOKEN_2022_PROGRAM_ID],
] as const)
  test(`${name}: transfers show inner instructions, token balances, and parsed accounts by owner`, async () => {
    const token = await tokenFixture(program);
    const landed = await connection.getTransaction(token.moved, { maxSupportedTransactionVersion: 0 });
    const meta = landed?.meta;
    expect(meta?.err).toBeNull();
    expect(meta?.innerInstructions?.map((group) => group.index)).toEqual([0]);
    const heights = meta?.innerInstructions?.[0]?.instructions.map((one) => Reflect.get(one, 'stackHeight'));
    expect(heights?.length).toBeGreaterThanOrEqual(3);
    expect(new Set(heights)).toEqual(new Set([2]));
    const amountOf = (balances: readonly TokenBalance[] | null | undefined, owner: PublicKey) =>
      balances?.find((one) => one.owner === owner.toBase58() && one.programId === program.toBase58())
        ?.uiTokenAmount;
    expect(amountOf(meta?.preTokenBalances, payer.publicKey)?.amount).toBe('5000000');
    expect(amountOf(meta?.postTokenBalances, payer.publicKey)?.uiAmountString).toBe('3.75');
    expect(amountOf(meta?.preTokenBalances, token.other)).toBeUndefined();
    expect(amountOf(meta?.postTokenBalances, token.other)).toEqual({
      amount: '1250000',
      decimals: 6,
      uiAmount: 1.25,
      uiAmountString: '1.25',
    });

    for (const filter of [{ mint: token.mint }, { programId: program }]) {
      const found = await connection.getParsedTokenAccountsByOwner(token.other, filter);
      expect(found.value.map((one) => one.pubkey.toBase58())).toEqual([token.to.toBase58()]);
      expect(found.value[0]?.account.data).toMatchObject({
        program: name,
        parsed: { info: { mint: token.mint.toBase58(), tokenAmount: { amount: '1250000' } } },
      });
    }
    const raw = await connection.getTokenAccountsByOwner(token.other, { mint: token.mint });
    expect(raw.value[0]?.account.data.readBigUInt64LE(64)).toBe(1_250_000n);
    expect((await connection.getTokenAccountBalance(token.to)).value.amount).toBe('1250000');
    expect((await connection.getTokenSupply(token.mint)).value.uiAmountString).toBe('5');
    const largest = await connection.getTokenLargestAccounts(token.mint);
    expect(largest.value.map((one) => one.amount)).toEqual(['3750000', '1250000']);
    const mint = await connection.getParsedAccountInfo(token.mint);
    expect(mint.value?.data).toMatchObject({
      parsed: { type: 'mint', info: { decimals: 6, supply: '5000000' } },
    });
    const holders = await connection.getProgramAccounts(program, {
      filters: [
        { memcmp: { offset: 0, bytes: token.mint.toBase58() } },
        { memcmp: { offset: 32, bytes: token.other.toBase58() } },
      ],
    });
    expect(holders.map((one) => one.pubkey.toBase58())).toEqual([token.to.toBase58()]);
  });

test('reads at confirmed and finalized are the state of that slot, not a newer one', async () => {
  const address = Keypair.generate().publicKey;
  await run([transferTo(address, SOL)]);
  chain.advanceSlots(8);
  await run([transferTo(address, SOL)]);
  const latest = await connection.getLatestBlockhash('processed');
  const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(transferTo(address, SOL));
  transaction.sign(payer);
  await connection.sendRawTransaction(transaction.serialize(), { preflightCommitment: 'processed' });
  const balances = () =>
    Promise.all(
      (['processed', 'confirmed', 'finalized'] as const).map((one) => connection.getBalance(address, one)),
    );
  expect(await balances()).toEqual([3 * SOL, 2 * SOL, SOL]);
  chain.advanceSlots(1);
  expect(await balances()).toEqual([3 * SOL, 3 * SOL, SOL]);
  chain.advanceSlots(7);
  expect(await balances()).toEqual([3 * SOL, 3 * SOL, 3 * SOL]);
});

test('getSignaturesForAddress pages newest first without a gap or a repeat', async () => {
  const address = Keypair.generate().publicKey;
  const sent: string[] = [];
  for (let index = 0; index < 7; index += 1) sent.unshift(await run([transferTo(address, SOL + index)]));
  const paged: string[] = [];
  for (;;) {
    const before = paged.at(-1);
    const options = { limit: 3, ...(before === undefined ? {} : { before }) };
    const page = await connection.getSignaturesForAddress(address, options);
    if (page.length === 0) break;
    paged.push(...page.map((one) => one.signature));
  }
  expect(paged).toEqual(sent);
  const since = await connection.getSignaturesForAddress(address, { until: sent[4] ?? '' });
  expect(since.map((one) => one.signature)).toEqual(sent.slice(0, 4));
  const final = await connection.getSignaturesForAddress(address, {}, 'finalized');
  expect(final).toEqual([]);
});

test('accounts loaded through a lookup table are resolved, recorded and found by address', async () => {
  const slot = await connection.getSlot('finalized');
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority: payer.publicKey,
    payer: payer.publicKey,
    recentSlot: slot,
  });
  const address = Keypair.generate().publicKey;
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: table,
    authority: payer.publicKey,
    payer: payer.publicKey,
    addresses: [Keypair.generate().publicKey, address],
  });
  await run([create, extend]);
  const lookup = (await connection.getAddressLookupTable(table)).value;
  if (lookup === null) throw new Error('no table');
  const { blockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash,
    instructions: [transferTo(address)],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message([lookup]));
  transaction.sign([payer]);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  chain.advanceSlots(1);
  const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(landed?.version).toBe(0);
  expect(landed?.meta?.loadedAddresses?.writable.map(String)).toEqual([address.toBase58()]);
  const index = landed?.transaction.message.getAccountKeys({
    accountKeysFromLookups: landed.meta?.loadedAddresses ?? null,
  });
  const position =
    index
      ?.keySegments()
      .flat()
      .findIndex((key) => key.equals(address)) ?? -1;
  expect(landed?.meta?.postBalances[position]).toBe(SOL);
  const found = await connection.getSignaturesForAddress(address);
  expect(found.map((one) => one.signature)).toEqual([signature]);
});

test('statuses are forgotten after 150 slots unless history is searched', async () => {
  const signature = await run([transferTo(Keypair.generate().publicKey)]);
  chain.advanceSlots(149);
  expect((await connection.getSignatureStatus(signature)).value?.confirmationStatus).toBe('finalized');
  chain.advanceSlots(1);
  expect((await connection.getSignatureStatus(signature)).value).toBeNull();
  const searched = await connection.getSignatureStatus(signature, { searchTransactionHistory: true });
  expect(searched.value).toMatchObject({ confirmations: null, err: null });
});

test('a block holds the transactions of its slot and is linked to the one before', async () => {
  const signature = await run([transferTo(Keypair.generate().publicKey)]);
  const slot = await connection.getSlot();
  const block = await connection.getBlock(slot, { maxSupportedTransactionVersion: 0 });
  expect(block?.transactions.map((one) => one.transaction.signatures[0])).toEqual([signature]);
  expect(block?.parentSlot).toBe(slot - 1);
  const parent = await connection.getBlock(slot - 1, {
    maxSupportedTransactionVersion: 0,
    transactionDetails: 'none',
  });
  expect(parent?.blockhash).toBe(block?.previousBlockhash ?? '');
  expect(await connection.getBlockTime(slot)).toBe(block?.blockTime ?? 0);
  expect(await connection.getBlocks(slot - 2, slot)).toEqual([slot - 2, slot - 1, slot]);
  await expect(connection.getBlock(slot + 5, { maxSupportedTransactionVersion: 0 })).rejects.toThrow(
    'Block not available',
  );
});

test('history is bounded: the oldest transactions go first', async () => {
  const small = await startChain({ slotMs: 'manual', maxTransactions: 600 });
  const address = Keypair.generate().publicKey;
  const client = new Connection(small.rpcUrl, 'confirmed');
  for (let index = 0; index < 1_000; index += 1)
    small.ledger.faucet.airdrop(small.ledger, address.toBase58(), BigInt(SOL));
  small.advanceSlots(1);
  expect(small.ledger.history.count()).toBe(600);
  expect(await client.getSignaturesForAddress(address)).toHaveLength(600);
  expect(await client.getBalance(address)).toBe(1_000 * SOL);
  await small.stop();
});
