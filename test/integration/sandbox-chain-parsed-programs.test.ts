import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createSolanaRpc, signature as kitSignature } from '@solana/kit';
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
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { parsedClient, texts } from '../support/parsed-client.ts';

const UPGRADEABLE_LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');
const ASSOCIATED_TOKEN = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const payer = Keypair.generate();
let chain: SandboxChain;
let connection: Connection;
let client: ReturnType<typeof parsedClient>;

beforeAll(async () => {
  chain = await startChain({ slotMs: 50 });
  connection = new Connection(chain.rpcUrl, 'confirmed');
  client = parsedClient(connection, payer);
  await connection.confirmTransaction(
    await connection.requestAirdrop(payer.publicKey, 100 * LAMPORTS_PER_SOL),
  );
});
afterAll(async () => {
  await chain.stop();
});

const fresh = () => Keypair.generate();
const parsed = (type: string, info: Record<string, unknown>) => ({ type, info: texts(info) });

test('every ordinary instruction of the system program is shown as a node shows it', async () => {
  const [created, assigned, receiver, nonce, next] = [fresh(), fresh(), fresh(), fresh(), fresh()];
  const owner = TOKEN_PROGRAM_ID;
  const seeded = await PublicKey.createWithSeed(payer.publicKey, 'seed', owner);
  const source = payer.publicKey;
  const rent = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
  expect(
    await client.parsed(
      [
        SystemProgram.createAccount({
          fromPubkey: source,
          newAccountPubkey: created.publicKey,
          lamports: 2_000_000,
          space: 9,
          programId: owner,
        }),
        SystemProgram.transfer({
          fromPubkey: source,
          toPubkey: receiver.publicKey,
          lamports: LAMPORTS_PER_SOL,
        }),
        SystemProgram.transfer({ fromPubkey: source, toPubkey: assigned.publicKey, lamports: 3_000_000 }),
        SystemProgram.allocate({ accountPubkey: assigned.publicKey, space: 7 }),
        SystemProgram.assign({ accountPubkey: assigned.publicKey, programId: owner }),
        SystemProgram.createAccountWithSeed({
          fromPubkey: source,
          newAccountPubkey: seeded,
          basePubkey: source,
          seed: 'seed',
          lamports: 2_000_000,
          space: 5,
          programId: owner,
        }),
      ],
      created,
      assigned,
    ),
  ).toEqual([
    parsed('createAccount', { source, newAccount: created.publicKey, lamports: 2_000_000, space: 9, owner }),
    parsed('transfer', { source, destination: receiver.publicKey, lamports: LAMPORTS_PER_SOL }),
    parsed('transfer', { source, destination: assigned.publicKey, lamports: 3_000_000 }),
    parsed('allocate', { account: assigned.publicKey, space: 7 }),
    parsed('assign', { account: assigned.publicKey, owner }),
    parsed('createAccountWithSeed', {
      source,
      newAccount: seeded,
      base: source,
      seed: 'seed',
      lamports: 2_000_000,
      space: 5,
      owner,
    }),
  ]);
  expect(
    await client.parsed(
      [
        ...SystemProgram.createNonceAccount({
          fromPubkey: source,
          noncePubkey: nonce.publicKey,
          authorizedPubkey: source,
          lamports: rent,
        }).instructions,
        SystemProgram.nonceAuthorize({
          noncePubkey: nonce.publicKey,
          authorizedPubkey: source,
          newAuthorizedPubkey: next.publicKey,
        }),
      ],
      nonce,
    ),
  ).toEqual([
    parsed('createAccount', {
      source,
      newAccount: nonce.publicKey,
      lamports: rent,
      space: NONCE_ACCOUNT_LENGTH,
      owner: SystemProgram.programId,
    }),
    parsed('initializeNonce', {
      nonceAccount: nonce.publicKey,
      recentBlockhashesSysvar: SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
      rentSysvar: SYSVAR_RENT_PUBKEY,
      nonceAuthority: source,
    }),
    parsed('authorizeNonce', {
      nonceAccount: nonce.publicKey,
      nonceAuthority: source,
      newAuthorized: next.publicKey,
    }),
  ]);
  expect((await connection.getParsedAccountInfo(nonce.publicKey)).value?.data).toMatchObject({
    program: 'nonce',
    space: NONCE_ACCOUNT_LENGTH,
    parsed: {
      type: 'initialized',
      info: {
        authority: next.publicKey.toBase58(),
        blockhash: expect.any(String),
        feeCalculator: { lamportsPerSignature: expect.stringMatching(/^\d+$/) },
      },
    },
  });
});

test('a failed transaction shows its instructions parsed too, seeds and nonces included', async () => {
  const [account, base, nonce] = [fresh().publicKey, payer.publicKey, fresh().publicKey];
  const owner = SystemProgram.programId;
  const lamports = 5;
  expect(
    await client.parsedAnyway([
      SystemProgram.transfer({
        fromPubkey: account,
        basePubkey: base,
        toPubkey: nonce,
        lamports,
        seed: 's',
        programId: owner,
      }),
      SystemProgram.allocate({
        accountPubkey: account,
        basePubkey: base,
        seed: 's',
        space: 4,
        programId: owner,
      }),
      SystemProgram.assign({ accountPubkey: account, basePubkey: base, seed: 's', programId: owner }),
      SystemProgram.nonceAdvance({ noncePubkey: nonce, authorizedPubkey: base }),
      SystemProgram.nonceWithdraw({
        noncePubkey: nonce,
        authorizedPubkey: base,
        toPubkey: account,
        lamports,
      }),
      new TransactionInstruction({
        programId: owner,
        keys: [{ pubkey: nonce, isSigner: false, isWritable: true }],
        data: Buffer.from([12, 0, 0, 0]),
      }),
    ]),
  ).toEqual([
    parsed('transferWithSeed', {
      source: account,
      sourceBase: base,
      destination: nonce,
      lamports,
      sourceSeed: 's',
      sourceOwner: owner,
    }),
    parsed('allocateWithSeed', { account, base, seed: 's', space: 4, owner }),
    parsed('assignWithSeed', { account, base, seed: 's', owner }),
    parsed('advanceNonce', {
      nonceAccount: nonce,
      recentBlockhashesSysvar: SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
      nonceAuthority: base,
    }),
    parsed('withdrawFromNonce', {
      nonceAccount: nonce,
      destination: account,
      recentBlockhashesSysvar: SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
      rentSysvar: SYSVAR_RENT_PUBKEY,
      nonceAuthority: base,
      lamports,
    }),
    parsed('upgradeNonce', { nonceAccount: nonce }),
  ]);
});

test('memos are text; compute budget and unknown data stay partially decoded with their bytes', async () => {
  const memoV1 = new PublicKey('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
  const memo = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
  const signature = await client.run([
    new TransactionInstruction({ programId: memo, keys: [], data: Buffer.from('grüße 🦖') }),
    new TransactionInstruction({ programId: memoV1, keys: [], data: Buffer.from('old') }),
    ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }),
  ]);
  const { top } = await client.shown(signature);
  expect(top.map((one) => ({ ...one, programId: one.programId.toBase58() }))).toEqual([
    { program: 'spl-memo', programId: memo.toBase58(), parsed: 'grüße 🦖', stackHeight: 1 },
    { program: 'spl-memo', programId: memoV1.toBase58(), parsed: 'old', stackHeight: 1 },
    { programId: ComputeBudgetProgram.programId.toBase58(), accounts: [], data: 'JC3gyu', stackHeight: 1 },
  ] as never);
  const unknown = new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: [],
    data: Buffer.from([99, 0, 0, 0]),
  });
  const invalidText = new TransactionInstruction({ programId: memo, keys: [], data: Buffer.from([0xff]) });
  expect(await client.parsedAnyway([unknown, invalidText])).toEqual([
    'partially decoded',
    'partially decoded',
  ]);
});

test('the associated-token program and what it calls are parsed, each call at its stack height', async () => {
  const wallet = fresh().publicKey;
  const account = getAssociatedTokenAddressSync(NATIVE_MINT, wallet);
  const source = payer.publicKey;
  const signature = await client.run([
    createAssociatedTokenAccountIdempotentInstruction(source, account, wallet, NATIVE_MINT),
  ]);
  const { top, inner } = await client.shown(signature);
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
      parsed: parsed('createIdempotent', shared),
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
          parsed: parsed('getAccountDataSize', { mint: NATIVE_MINT, extensionTypes: ['immutableOwner'] }),
          stackHeight: 2,
        },
        {
          program: 'system',
          programId: SystemProgram.programId,
          parsed: parsed('createAccount', {
            source,
            newAccount: account,
            lamports: 2_039_280,
            space: 165,
            owner: TOKEN_PROGRAM_ID,
          }),
          stackHeight: 2,
        },
        {
          program: 'spl-token',
          programId: TOKEN_PROGRAM_ID,
          parsed: parsed('initializeImmutableOwner', { account }),
          stackHeight: 2,
        },
        {
          program: 'spl-token',
          programId: TOKEN_PROGRAM_ID,
          parsed: parsed('initializeAccount3', { account, mint: NATIVE_MINT, owner: wallet }),
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
  expect(await client.parsedAnyway([bare, nested])).toEqual([
    parsed('create', shared),
    parsed('recoverNested', {
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

test('lookup tables: their instructions and their accounts are parsed', async () => {
  const authority = payer.publicKey;
  const recentSlot = await connection.getSlot('confirmed');
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot,
  });
  const addresses = [fresh().publicKey, fresh().publicKey];
  const tableAndAuthority = { lookupTableAccount: table, lookupTableAuthority: authority };
  expect(
    await client.parsed([
      create,
      AddressLookupTableProgram.extendLookupTable({
        lookupTable: table,
        authority,
        payer: authority,
        addresses,
      }),
    ]),
  ).toEqual([
    parsed('createLookupTable', {
      ...tableAndAuthority,
      payerAccount: authority,
      systemProgram: SystemProgram.programId,
      recentSlot,
      bumpSeed: create.data.at(-1),
    }),
    parsed('extendLookupTable', {
      ...tableAndAuthority,
      payerAccount: authority,
      systemProgram: SystemProgram.programId,
      newAddresses: addresses.map(String),
    }),
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
  expect(
    await client.parsedAnyway([
      AddressLookupTableProgram.deactivateLookupTable({ lookupTable: table, authority }),
      AddressLookupTableProgram.freezeLookupTable({ lookupTable: table, authority }),
      AddressLookupTableProgram.closeLookupTable({ lookupTable: table, authority, recipient: authority }),
    ]),
  ).toEqual([
    parsed('deactivateLookupTable', tableAndAuthority),
    parsed('freezeLookupTable', tableAndAuthority),
    parsed('closeLookupTable', { ...tableAndAuthority, recipient: authority }),
  ]);
});

test('the upgradeable loader: instructions, buffers and programs are parsed', async () => {
  const buffer = fresh();
  const authority = payer.publicKey;
  const key = (pubkey: PublicKey, isSigner = false) => ({ pubkey, isSigner, isWritable: !isSigner });
  const ofLoader = (keys: TransactionInstruction['keys'], data: Buffer) =>
    new TransactionInstruction({ programId: UPGRADEABLE_LOADER, keys, data });
  const write = Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 7, 8, 9]);
  const [, ...shownForms] = await client.parsed(
    [
      SystemProgram.createAccount({
        fromPubkey: authority,
        newAccountPubkey: buffer.publicKey,
        lamports: 5_000_000,
        space: 37 + 6,
        programId: UPGRADEABLE_LOADER,
      }),
      ofLoader([key(buffer.publicKey), key(authority)], Buffer.from([0, 0, 0, 0])),
      ofLoader([key(buffer.publicKey), key(authority, true)], write),
    ],
    buffer,
  );
  expect(shownForms).toEqual([
    parsed('initializeBuffer', { account: buffer.publicKey, authority }),
    parsed('write', { account: buffer.publicKey, authority, offset: 2, bytes: 'BwgJ' }),
  ]);
  expect((await connection.getParsedAccountInfo(buffer.publicKey)).value?.data).toEqual({
    program: 'bpf-upgradeable-loader',
    space: 43,
    parsed: { type: 'buffer', info: { authority: authority.toBase58(), data: ['AAAHCAkA', 'base64'] } },
  });
  const program = (await connection.getParsedAccountInfo(TOKEN_PROGRAM_ID)).value?.data;
  expect(program).toMatchObject({ parsed: { type: 'program', info: { programData: expect.any(String) } } });
});

test('kit reads the same parsed transactions with its own types', async () => {
  const receiver = fresh().publicKey;
  const signature = await client.run([
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
  expect(inBlock?.transaction.message.instructions[0]).toMatchObject({ program: 'system' });
});
