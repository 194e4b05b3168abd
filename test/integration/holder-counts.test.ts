import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  ACCOUNT_SIZE,
  AuthorityType,
  createInitializeAccountInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createTransferInstruction,
  MINT_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js';
import { vestingEscrowAddresses } from '../../src/chain/accounts/derived-addresses.ts';
import type { Database } from '../../src/db/client.ts';
import { type ChainTransaction, readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { poolAuthorities } from '../../src/indexer/holders/protocol-accounts.ts';
import { holderCounts } from '../../src/indexer/holders/run-holder-counts.ts';
import { storeHolderCounts } from '../../src/indexer/store/holder-counts.ts';
import { type ChainClient, createChainClient } from '../support/chain/chain-client.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { holderCounter, holdersOf, knowMint, makeDue } from '../support/holders/holder-world.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { asWorker, openDatabase } from '../support/processes/worker-context.ts';
import { eventually } from '../support/run/eventually.ts';

let db: Database;
let worker: Database;
let client: ChainClient;

beforeAll(async () => {
  db = await openDatabase();
  worker = asWorker(db);
  client = await createChainClient();
});

beforeEach(async () => {
  await emptyTables(db, 'tokens', 'holder_accounts');
  client.chain.setFaults({});
});

const counter = () => holderCounter(worker, [client.chain.rpcUrl]);
const someone = () => Keypair.generate().publicKey;
const blockTime = async (slot: bigint) => {
  const { result } = await client.rpc('getBlockTime', Number(slot));
  return new Date(Number(result) * 1000).toISOString();
};

describe.each([
  ['SPL Token', TOKEN_PROGRAM_ID],
  ['Token-2022', TOKEN_2022_PROGRAM_ID],
])('holders of a mint of %s', (_, program) => {
  test('are wallets with a balance: each once, empty accounts and the accounts of the protocol not at all', async () => {
    const token = await mintToken(client, program);
    const pool = someone();
    const { escrow } = await vestingEscrowAddresses(pool.toBase58(), token.mint, program.toBase58());
    const twice = someone();
    for (const owner of [twice, twice, someone()]) await token.open(owner, 5n);
    await token.open(someone(), 0n);
    for (const owner of [...poolAuthorities, escrow]) await token.open(new PublicKey(owner), 7n);
    await knowMint(db, token.mint, pool.toBase58());
    expect(await holdersOf(db, token.mint)).toBeNull();
    const { count, changed } = counter();
    expect(await count()).toBe('counted');
    const stats = await holdersOf(db, token.mint);
    expect(stats).toMatchObject({ holderCount: 2, provenance: 'onchain_snapshot' });
    expect(stats?.asOf).toBe(await blockTime(BigInt(stats?.slot ?? '0')));
    expect(changed).toEqual([token.mint]);
    const [market] = await db`select holder_count from token_markets`;
    expect(market).toEqual({ holderCount: 2 });
    expect(await count()).toBeNull();
  });

  test('change with the balances after a transaction, even if messages come twice or late', async () => {
    const token = await mintToken(client, program);
    const mine = await token.open(client.payer.publicKey, 10n);
    const [first, second] = [await token.open(someone(), 0n), await token.open(someone(), 0n)];
    await knowMint(db, token.mint);
    const { count, apply, changed } = counter();
    await count();
    const give = { transactionIndex: 0, transaction: await token.transfer(mine, first, 4n) };
    const empty = { transactionIndex: 0, transaction: await token.transfer(mine, second, 6n) };
    await apply(empty);
    expect(await holdersOf(db, token.mint)).toMatchObject({ holderCount: 1 });
    await apply(give);
    await apply(give, empty);
    const slot = empty.transaction.slot.toString();
    expect(await holdersOf(db, token.mint)).toEqual({
      mintAddress: token.mint,
      holderCount: 2,
      provenance: 'live_trade_index',
      slot,
      asOf: await blockTime(empty.transaction.slot),
    });
    expect(changed).toEqual([token.mint, token.mint]);
    await makeDue(db);
    await count();
    const recounted = await holdersOf(db, token.mint);
    expect(recounted).toMatchObject({ holderCount: 2, provenance: 'onchain_snapshot' });
    await apply(give, empty);
    expect(await holdersOf(db, token.mint)).toEqual(recounted);
  });

  test('change when an account goes to another owner', async () => {
    const token = await mintToken(client, program);
    const owner = someone();
    await token.open(owner, 1n);
    const mine = await token.open(client.payer.publicKey, 10n);
    await knowMint(db, token.mint);
    const { count, apply } = counter();
    await count();
    expect(await holdersOf(db, token.mint)).toMatchObject({ holderCount: 2 });
    await apply({ transactionIndex: 0, transaction: await token.handOver(mine, owner) });
    expect(await holdersOf(db, token.mint)).toMatchObject({ holderCount: 1 });
  });
});

describe('a count from the chain', () => {
  test('includes a plain transfer that no indexed transaction shows, from the next snapshot on', async () => {
    const token = await mintToken(client, TOKEN_PROGRAM_ID);
    const mine = await token.open(client.payer.publicKey, 10n);
    const theirs = await token.open(someone(), 0n);
    await knowMint(db, token.mint);
    const { count } = counter();
    await count();
    await token.transfer(mine, theirs, 10n);
    await token.open(someone(), 3n);
    await makeDue(db);
    await count();
    expect(await holdersOf(db, token.mint)).toMatchObject({ holderCount: 2 });
  });

  test('keeps balances that are indexed before the first snapshot, which may be of an earlier slot', async () => {
    const token = await mintToken(client, TOKEN_PROGRAM_ID);
    const mine = await token.open(client.payer.publicKey, 10n);
    const theirs = await token.open(someone(), 0n);
    await knowMint(db, token.mint);
    const { count, apply } = counter();
    const transaction = await token.transfer(mine, theirs, 4n);
    const later = { ...transaction, slot: transaction.slot + 1_000n };
    await apply({ transactionIndex: 3, transaction: later });
    expect(await holdersOf(db, token.mint)).toBeNull();
    await count();
    expect(await holdersOf(db, token.mint)).toMatchObject({
      holderCount: 2,
      provenance: 'live_trade_index',
      slot: later.slot.toString(),
    });
  });

  test('is not replaced by a feed, which counts only while the chain has no count', async () => {
    const token = await mintToken(client, TOKEN_PROGRAM_ID);
    await token.open(someone(), 10n);
    await knowMint(db, token.mint);
    const feed = (holderCount: number, slot: string) =>
      db.begin((transaction) =>
        storeHolderCounts(transaction, [
          {
            mintAddress: token.mint,
            holderCount,
            provenance: 'onchain_snapshot',
            slot,
            asOf: '2026-01-01T00:00:00.000Z',
          },
        ]),
      );
    expect(await feed(99, '900000000')).toEqual([token.mint]);
    expect(await holdersOf(db, token.mint)).toMatchObject({ holderCount: 99 });
    await counter().count();
    expect(await holdersOf(db, token.mint)).toMatchObject({ holderCount: 1 });
    expect(await feed(98, '900000001')).toEqual([]);
    expect(await holdersOf(db, token.mint)).toMatchObject({ holderCount: 1 });
  });

  test('leaves out the vaults that are named with the token', async () => {
    const token = await mintToken(client, TOKEN_PROGRAM_ID);
    const vaults = [await token.open(someone(), 5n), await token.open(someone(), 6n)];
    await token.open(someone(), 7n);
    await knowMint(db, token.mint);
    await db`alter table tokens add column if not exists staking_vaults text[], add column if not exists tokenomics_vaults text[]`;
    const { count } = counter();
    await count();
    expect(await holdersOf(db, token.mint)).toMatchObject({ holderCount: 3 });
    const [staking, tokenomics] = vaults.map((vault) => [vault.toBase58()]);
    await db`update tokens set staking_vaults = ${staking ?? []}, tokenomics_vaults = ${tokenomics ?? []}`;
    await makeDue(db);
    await count();
    expect(await holdersOf(db, token.mint)).toMatchObject({ holderCount: 1 });
  });

  test('is unknown for a token without a mint, not zero', async () => {
    const mint = someone().toBase58();
    await knowMint(db, mint);
    expect(await counter().count()).toBe('absent');
    expect(await holdersOf(db, mint)).toBeNull();
    expect(await counter().count()).toBeNull();
  });

  test('comes from trades where no node lists accounts: wallets that bought more than they sold', async () => {
    const mint = someone().toBase58();
    await knowMint(db, mint);
    await db`
      insert into trades (id, mint_address, trader_wallet, type, sol_amount, token_amount, price_per_token_in_sol, slot,
        transaction_index, outer_index, inner_index, block_time, transaction_signature)
      select gen_random_uuid(), ${mint}, wallet, type, 1, amount, 1, slot, 0, 0, 0, to_timestamp(1800000000 + slot),
        'signature-' || slot
      from (values ('one', 'buy', 5, 1), ('two', 'buy', 5, 2), ('two', 'sell', 5, 3)) as t (wallet, type, amount, slot)`;
    client.chain.setFaults({ down: 'unavailable' });
    expect(await counter().count()).toBe('failed');
    expect(await holdersOf(db, mint)).toEqual({
      mintAddress: mint,
      holderCount: 1,
      provenance: 'trade_replay',
      slot: '3',
      asOf: new Date(1_800_000_003_000).toISOString(),
    });
  });
});

test('two workers list the accounts of each token once, and go on when one ends', async () => {
  const tokens = await Promise.all(Array.from({ length: 3 }, () => mintToken(client, TOKEN_PROGRAM_ID)));
  for (const { open, mint } of tokens) {
    await open(someone(), 5n);
    await knowMint(db, mint);
  }
  const stops = [new AbortController(), new AbortController()];
  const counted: string[] = [];
  const running = stops.map(({ signal }) =>
    runTestJob(holderCounts({ ...counter().dependencies, onCounted: (outcome) => counted.push(outcome) }), {
      signal,
    }),
  );
  const isCounted = async () => (await db`select from holder_stats where holder_count = 1`).count;
  // A worker says so after its transaction.
  await eventually('all are counted', async () => (await isCounted()) === 3 && counted.length >= 3);
  expect(counted).toEqual(['counted', 'counted', 'counted']);
  stops[0]?.abort();
  await running[0];
  const added = await mintToken(client, TOKEN_PROGRAM_ID);
  await added.open(someone(), 5n);
  await knowMint(db, added.mint);
  await eventually('the added one is counted', async () => (await isCounted()) === 4);
  stops[1]?.abort();
  await running[1];
});

/** A mint on the sandbox chain, whose accounts the test opens and moves. */
interface MintedToken {
  mint: string;
  /** Opens a token account with this balance. It is not the associated one, so an owner may have several. */
  open(owner: PublicKey, amountRaw: bigint): Promise<PublicKey>;
  /** Transfers from an account of the payer. Returns the node's transaction. */
  transfer(from: PublicKey, to: PublicKey, amountRaw: bigint): Promise<ChainTransaction>;
  /** Gives an account of the payer, with its balance, to another owner. */
  handOver(account: PublicKey, owner: PublicKey): Promise<ChainTransaction>;
}

async function mintToken(client: ChainClient, program: PublicKey): Promise<MintedToken> {
  const { payer, connection } = client;
  const key = Keypair.generate();
  const mint = key.publicKey;
  const create = async (account: Keypair, space: number) =>
    SystemProgram.createAccount({
      fromPubkey: payer.publicKey,
      newAccountPubkey: account.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(space),
      space,
      programId: program,
    });
  const initialise = createInitializeMint2Instruction(mint, 6, payer.publicKey, null, program);
  await send(client, [await create(key, MINT_SIZE), initialise], [key]);
  return {
    mint: mint.toBase58(),
    async open(owner, amountRaw) {
      const account = Keypair.generate();
      const instructions = [
        await create(account, ACCOUNT_SIZE),
        createInitializeAccountInstruction(account.publicKey, mint, owner, program),
        createMintToInstruction(mint, account.publicKey, payer.publicKey, amountRaw, [], program),
      ];
      await send(client, instructions, [account]);
      return account.publicKey;
    },
    transfer: (from, to, amountRaw) =>
      send(client, [createTransferInstruction(from, to, payer.publicKey, amountRaw, [], program)]),
    handOver: (account, owner) =>
      send(client, [
        createSetAuthorityInstruction(
          account,
          payer.publicKey,
          AuthorityType.AccountOwner,
          owner,
          [],
          program,
        ),
      ]),
  };
}

async function send(
  { payer, connection, chain, rpc }: ChainClient,
  instructions: TransactionInstruction[],
  signers: Keypair[] = [],
): Promise<ChainTransaction> {
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
  transaction.add(...instructions).sign(payer, ...signers);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  chain.advanceSlots(2);
  const config = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 1 };
  return readChainTransaction((await rpc('getTransaction', signature, config)).result);
}
