import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  createAssociatedTokenAccountInstruction,
  createBurnInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { SandboxNode } from '../../sandbox/chain/server.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import { type ReportedToken, upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { MintRefresh } from '../../src/indexer/mint-refresh.ts';
import { mintFacts } from '../../src/indexer/worker.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { type ChainClient, createChainClient } from '../support/chain/chain-client.ts';
import { nominalPace } from '../support/chain/nominal-pace.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { asWorker, openDatabase } from '../support/processes/worker-context.ts';
import { eventually } from '../support/run/eventually.ts';

const outbox = createOutbox(
  { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' },
  systemClock,
);
let db: Database;
let worker: Database;
let client: ChainClient;
let other: SandboxNode;

beforeAll(async () => {
  db = await openDatabase();
  worker = asWorker(db);
  client = await createChainClient();
  other = client.chain.addNode();
});

beforeEach(async () => {
  await emptyTables(db, 'tokens');
  client.chain.setFaults({});
  other.setFaults({});
});

async function send(instructions: TransactionInstruction[], ...signers: Keypair[]): Promise<void> {
  const { payer, connection, chain } = client;
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
  transaction.add(...instructions).sign(payer, ...signers);
  await connection.sendRawTransaction(transaction.serialize());
  chain.advanceSlots(2);
}

interface Minted {
  mint: PublicKey;
  burn(amountRaw: bigint): Promise<void>;
}

/** A mint on the chain, all of its supply in one account of the payer. */
async function mintOnChain(supplyRaw: bigint, decimals: number, program = TOKEN_PROGRAM_ID): Promise<Minted> {
  const { payer, connection } = client;
  const key = Keypair.generate();
  const mint = key.publicKey;
  const owner = payer.publicKey;
  const account = getAssociatedTokenAddressSync(mint, owner, false, program);
  const lamports = await connection.getMinimumBalanceForRentExemption(MINT_SIZE);
  await send(
    [
      SystemProgram.createAccount({
        fromPubkey: owner,
        newAccountPubkey: mint,
        lamports,
        space: MINT_SIZE,
        programId: program,
      }),
      createInitializeMint2Instruction(mint, decimals, owner, null, program),
      createAssociatedTokenAccountInstruction(owner, account, owner, mint, program),
      createMintToInstruction(mint, account, owner, supplyRaw, [], program),
    ],
    key,
  );
  return {
    mint,
    burn: (amountRaw) => send([createBurnInstruction(account, mint, owner, amountRaw, [], program)]),
  };
}

async function report(mint: PublicKey, changes: Partial<ReportedToken> = {}): Promise<void> {
  const token: ReportedToken = {
    mintAddress: mint.toBase58(),
    creatorWallet: client.payer.publicKey.toBase58(),
    name: 'Wire',
    symbol: 'WIRE',
    decimals: 6,
    totalSupply: '1000000000',
    launchType: 'dbc',
    status: 'bonding',
    ...changes,
  };
  await db.begin((transaction) => upsertToken(transaction, outbox, systemClock, token));
}

/** A walk over both nodes, as in the worker; `changed` are its hints. */
function walk(headSlot: () => bigint | null = () => null) {
  const changed: string[] = [];
  const mints = new MintRefresh({
    db: worker,
    rpcs: createChainRpcs([client.chain.rpcUrl, other.rpcUrl]),
    chainHead: {
      current: () => {
        const slot = headSlot();
        return slot === null ? null : { slot, blockHeight: slot, observedAt: new Date() };
      },
      pace: () => nominalPace,
    },
    clock: systemClock,
    onTokensChanged: (addresses) => changed.push(...addresses),
  });
  /** Steps until the end of a round. */
  const round = async () => {
    while (await mints.step());
  };
  return { mints, changed, round };
}

async function supply(mint: PublicKey): Promise<[string, number] | null> {
  const token = await findToken(db, mint.toBase58());
  return token && [token.totalSupply, token.decimals];
}

describe('decimals and supply of a token', () => {
  test.each([
    ['SPL Token', TOKEN_PROGRAM_ID],
    ['Token-2022', TOKEN_2022_PROGRAM_ID],
  ])('are those of its mint, follow a burn, and no feed takes them back (%p)', async (_, program) => {
    const { mint, burn } = await mintOnChain(2_500_000_000n, 3, program);
    await report(mint);
    await db`update token_markets set price_in_sol = 0.5 where mint_address = ${mint.toBase58()}`;
    const { round, changed } = walk();
    await round();
    expect(await supply(mint)).toEqual(['2500000', 3]);
    await burn(1n);
    await round();
    expect(await supply(mint)).toEqual(['2499999.999', 3]);
    expect(await findToken(db, mint.toBase58())).toMatchObject({ marketCapInSol: '1249999.9995' });
    expect(changed).toEqual([mint.toBase58(), mint.toBase58()]);
    await report(mint, { name: 'Wire two' });
    expect(await supply(mint)).toEqual(['2499999.999', 3]);
    expect((await findToken(db, mint.toBase58()))?.name).toBe('Wire two');
  });

  test('come from the feed while no mint exists at the address', async () => {
    const nowhere = Keypair.generate().publicKey;
    const noMint = client.payer.publicKey;
    for (const address of [nowhere, noMint]) await report(address);
    const { round, changed } = walk();
    await round();
    for (const address of [nowhere, noMint]) expect(await supply(address)).toEqual(['1000000000', 6]);
    await report(nowhere, { totalSupply: '7', decimals: 2 });
    expect(await supply(nowhere)).toEqual(['7', 2]);
    expect(changed).toEqual([]);
  });

  test('are written and hinted only when they change', async () => {
    const { mint } = await mintOnChain(1_000_000_000_000_000n, 6);
    await report(mint);
    const { round, changed } = walk();
    await round();
    const versions = () => db`select xmin from tokens`;
    const before = await versions();
    client.chain.advanceSlots(5);
    await round();
    expect(await versions()).toEqual(before);
    expect(changed).toEqual([]);
  });
});

describe('the walk over all mints', () => {
  test('reaches every token, and new ones before the rest', async () => {
    const old = await mintOnChain(10n, 0);
    await report(old.mint);
    const now = new Date();
    await db`
      insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
        created_at, updated_at)
      select 'So1111111111111111111111111111111111111' || lpad(translate(n::text, '0', 'z'), 4, 'y'), 'x', 'Example', 'EX', 6, 1,
        'dbc', 'bonding', ${now}, ${now}
      from generate_series(1, 250) n`;
    const { mints, round } = walk();
    await mints.step();
    const added = await mintOnChain(20n, 0);
    await report(added.mint);
    await mints.step();
    expect(await supply(added.mint)).toEqual(['20', 0]);
    expect(await supply(old.mint)).toEqual(['1000000000', 6]);
    await round();
    expect(await supply(old.mint)).toEqual(['10', 0]);
  });

  test('goes to the next node when one fails, and believes none that is far ahead of the chain', async () => {
    const { mint } = await mintOnChain(10n, 0);
    await report(mint);
    client.chain.setFaults({ down: 'unavailable' });
    await expect(walk(() => 0n).mints.step()).rejects.toThrow('far ahead');
    expect(await supply(mint)).toEqual(['1000000000', 6]);
    await walk(() => BigInt(client.chain.ledger.slot)).round();
    expect(await supply(mint)).toEqual(['10', 0]);
  });

  test('lets no older observation replace a newer one', async () => {
    const { mint, burn } = await mintOnChain(10n, 0);
    await report(mint);
    await burn(4n);
    await walk().round();
    await db`update tokens set mint_slot = mint_slot + 1000, total_supply = 5`;
    await walk().round();
    expect(await supply(mint)).toEqual(['5', 0]);
  });

  test('is run by the worker until it stops', async () => {
    const { mint } = await mintOnChain(10n, 0);
    await report(mint);
    const stop = new AbortController();
    const job = mintFacts({
      db: worker,
      rpcs: createChainRpcs([client.chain.rpcUrl]),
      chainHead: { current: () => null, pace: () => nominalPace },
      clock: systemClock,
      onTokensChanged: () => {},
    });
    const running = runTestJob(job, { signal: stop.signal });
    await eventually('the supply of the mint', async () => (await supply(mint))?.[0] === '10');
    stop.abort();
    await running;
  });
});
