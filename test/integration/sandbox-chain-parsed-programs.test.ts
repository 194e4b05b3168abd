import { expect, test } from 'bun:test';
import { createSolanaRpc, address as kitAddress, signature as kitSignature } from '@solana/kit';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createRecoverNestedInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { createParsedClient, form, parsedOf } from '../support/chain/parsed-client.ts';

const { chain, connection, payer, run, instructionsOf, parsed, parsedAnyway } = await createParsedClient();
const ASSOCIATED_TOKEN = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const fresh = () => Keypair.generate();

test('memos are text; compute budget and unknown data stay partially decoded with their bytes', async () => {
  const memoV1 = new PublicKey('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
  const memo = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
  const signature = await run([
    new TransactionInstruction({ programId: memo, keys: [], data: Buffer.from('grüße 🦖') }),
    new TransactionInstruction({ programId: memoV1, keys: [], data: Buffer.from('old') }),
    ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }),
  ]);
  const { top } = await instructionsOf(signature);
  expect(top.map((one) => ({ ...one, programId: one.programId.toBase58() }))).toEqual([
    { program: 'spl-memo', programId: memo.toBase58(), parsed: 'grüße 🦖', stackHeight: 1 },
    { program: 'spl-memo', programId: memoV1.toBase58(), parsed: 'old', stackHeight: 1 },
    { programId: ComputeBudgetProgram.programId.toBase58(), accounts: [], data: 'JC3gyu', stackHeight: 1 },
  ] as never);
  chain.advanceSlots(1);
  const [listed] = await connection.getSignaturesForAddress(payer.publicKey, { limit: 1 }, 'confirmed');
  expect(listed).toMatchObject({ signature, memo: '[12] grüße 🦖; [3] old' });
  const unknown = new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: [],
    data: Buffer.from([99, 0, 0, 0]),
  });
  const invalidText = new TransactionInstruction({ programId: memo, keys: [], data: Buffer.from([0xff]) });
  expect(await parsedAnyway([unknown, invalidText])).toEqual(['partially decoded', 'partially decoded']);
});

test('the associated-token program and what it calls are parsed, each call at its stack height', async () => {
  const wallet = fresh().publicKey;
  const account = getAssociatedTokenAddressSync(NATIVE_MINT, wallet);
  const source = payer.publicKey;
  const signature = await run([
    createAssociatedTokenAccountIdempotentInstruction(source, account, wallet, NATIVE_MINT),
  ]);
  const { top, inner } = await instructionsOf(signature);
  const shared = {
    source,
    account,
    wallet,
    mint: NATIVE_MINT,
    systemProgram: SystemProgram.programId,
    tokenProgram: TOKEN_PROGRAM_ID,
  };
  expect(top).toEqual([
    {
      program: 'spl-associated-token-account',
      programId: ASSOCIATED_TOKEN,
      parsed: form('createIdempotent', shared),
      stackHeight: 1,
    },
  ] as never);
  expect(inner).toEqual([
    {
      index: 0,
      instructions: [
        {
          program: 'spl-token',
          programId: TOKEN_PROGRAM_ID,
          parsed: form('getAccountDataSize', { mint: NATIVE_MINT, extensionTypes: ['immutableOwner'] }),
          stackHeight: 2,
        },
        {
          program: 'system',
          programId: SystemProgram.programId,
          parsed: form('createAccount', {
            source,
            newAccount: account,
            lamports: Number(chain.ledger.vm.rentExemptLamports(165)),
            space: 165,
            owner: TOKEN_PROGRAM_ID,
          }),
          stackHeight: 2,
        },
        {
          program: 'spl-token',
          programId: TOKEN_PROGRAM_ID,
          parsed: form('initializeImmutableOwner', { account }),
          stackHeight: 2,
        },
        {
          program: 'spl-token',
          programId: TOKEN_PROGRAM_ID,
          parsed: form('initializeAccount3', { account, mint: NATIVE_MINT, owner: wallet }),
          stackHeight: 2,
        },
      ],
    },
  ] as never);

  // The oldest form of `create` has no data at all.
  const bare = createAssociatedTokenAccountIdempotentInstruction(source, account, wallet, NATIVE_MINT);
  bare.data = Buffer.alloc(0);
  const nested = createRecoverNestedInstruction(
    account,
    NATIVE_MINT,
    wallet,
    source,
    TOKEN_PROGRAM_ID,
    source,
  );
  expect(await parsedAnyway([bare, nested])).toEqual([
    form('create', shared),
    form('recoverNested', {
      nestedSource: account,
      nestedMint: NATIVE_MINT,
      destination: wallet,
      nestedOwner: source,
      ownerMint: TOKEN_PROGRAM_ID,
      wallet: source,
      tokenProgram: TOKEN_PROGRAM_ID,
    }),
  ]);
});

test('a lookup table is parsed, and instructions name the addresses that it holds', async () => {
  const authority = payer.publicKey;
  const recentSlot = await connection.getSlot('confirmed');
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot,
  });
  const addresses = [fresh().publicKey, fresh().publicKey];
  const extend = { lookupTable: table, authority, payer: authority, addresses };
  // No client reads these parsed.
  expect(await parsed([create, AddressLookupTableProgram.extendLookupTable(extend)])).toEqual([
    'partially decoded',
    'partially decoded',
  ]);
  expect((await connection.getParsedAccountInfo(table)).value?.data).toEqual({
    program: 'address-lookup-table',
    space: 56 + 64,
    parsed: {
      type: 'lookupTable',
      info: {
        addresses: addresses.map(String),
        authority: authority.toBase58(),
        deactivationSlot: '18446744073709551615',
        lastExtendedSlot: expect.stringMatching(/^\d+$/),
        lastExtendedSlotStartIndex: 0,
      },
    },
  });
  // An instruction names the address that the table stands for.
  const lookupTable = (await connection.getAddressLookupTable(table)).value;
  if (lookupTable === null) throw new Error('no table');
  const latest = await connection.getLatestBlockhash();
  const [destination] = addresses;
  const message = new TransactionMessage({
    payerKey: authority,
    recentBlockhash: latest.blockhash,
    instructions: [
      SystemProgram.transfer({
        fromPubkey: authority,
        toPubkey: destination ?? authority,
        lamports: LAMPORTS_PER_SOL,
      }),
    ],
  });
  const transfer = new VersionedTransaction(message.compileToV0Message([lookupTable]));
  transfer.sign([payer]);
  const signature = await connection.sendTransaction(transfer);
  await connection.confirmTransaction({ signature, ...latest });
  expect((await instructionsOf(signature)).top.map(parsedOf)).toEqual([
    form('transfer', { source: authority, destination, lamports: LAMPORTS_PER_SOL }),
  ]);
});

test('kit reads the same parsed transactions with its own types', async () => {
  const receiver = fresh().publicKey;
  const signature = await run([
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: receiver, lamports: LAMPORTS_PER_SOL }),
  ]);
  const landed = await createSolanaRpc(chain.rpcUrl)
    .getTransaction(kitSignature(signature), {
      encoding: 'jsonParsed',
      maxSupportedTransactionVersion: 0,
      commitment: 'confirmed',
    })
    .send();
  const first = landed?.transaction.message.instructions[0];
  if (first === undefined || !('parsed' in first)) throw new Error('the transfer was not parsed');
  expect(first.program).toBe('system');
  expect(first.parsed).toEqual({
    type: 'transfer',
    info: {
      source: payer.publicKey.toBase58(),
      destination: receiver.toBase58(),
      lamports: BigInt(LAMPORTS_PER_SOL),
    },
  });
  const block = await connection.getParsedBlock(Number(landed?.slot), { maxSupportedTransactionVersion: 0 });
  const inBlock = block.transactions.find((one) => one.transaction.signatures[0] === signature);
  expect(inBlock?.transaction).toMatchObject({ message: { instructions: [{ program: 'system' }] } });
});

test('an account without a parser is answered as base64', async () => {
  const rpc = createSolanaRpc(chain.rpcUrl);
  for (const address of [SYSVAR_CLOCK_PUBKEY.toBase58(), 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr']) {
    const found = await rpc
      .getAccountInfo(kitAddress(address), { encoding: 'jsonParsed', commitment: 'processed' })
      .send();
    expect(found.value?.data).toEqual([expect.any(String), 'base64'] as never);
  }
});
