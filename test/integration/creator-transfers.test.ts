import { beforeAll, expect, test } from 'bun:test';
import { DynamicBondingCurveClient } from '@meteora-ag/dynamic-bonding-curve-sdk';
import { Value } from '@sinclair/typebox/value';
import {
  ComputeBudgetProgram,
  Connection,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';
import { claimCreatorFee } from '../../sandbox/market/claim-instructions.ts';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import type { LaunchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { withAccounts } from '../../sandbox/market/transactions.ts';
import { dammV1MigrationAddress } from '../../src/chain/accounts/derived-addresses.ts';
import {
  BONDING_CURVE,
  COMPUTE_BUDGET,
  SYSTEM_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../src/chain/accounts/programs.ts';
import { writeCurveConfig, writeCurveConfigKeys } from '../../src/chain/pools/curve/config-account.ts';
import { readCurvePool, writeCurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import { simulationRefusal } from '../../src/features/launches/creator-transfer/refusals.ts';
import { CreatorChangeSchema } from '../../src/features/tokens/schema.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { FeeRefresh } from '../../src/indexer/fees/fee-refresh.ts';
import { storeTokenCreators } from '../../src/indexer/store/token-creators.ts';
import type { Address } from '../../src/shared/address.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { Problem } from '../../src/shared/problem.ts';
import { expectProblem } from '../support/api/problems.ts';
import { interceptNode, type NodeInterceptor } from '../support/chain/node-interceptor.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { feeDependencies } from '../support/market/pool-fees.ts';
import { dammV1MigrationOf } from '../support/pools/creator-transfers.ts';
import { asWorker } from '../support/processes/worker-context.ts';
import { storedEvents } from '../support/rows/stored-events.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { signBytes, TradedMarket, type Trader } from '../support/trading/traded-market.ts';

let market: TradedMarket;
let node: NodeInterceptor;
let creator: Trader;
let heir: Trader;
const changed: string[] = [];

beforeAll(async () => {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  node = interceptNode(chain.rpcUrl);
  atEnd(() => node.stop());
  market = await TradedMarket.over(chain, { SOLANA_RPC_URL: node.rpcUrl });
  [creator, heir] = [await market.trader(), await market.trader()];
});

const addressOf = ({ key }: Trader) => key.walletAddress;

function post(
  mint: string,
  by: Trader,
  body: Record<string, unknown>,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<Response> {
  return fetch(`${market.api.baseUrl}/tokens/${mint}/creator-transfers`, {
    method: 'POST',
    headers: { ...by.key.header, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the schema is tested with OpenAPI
async function prepared(mint: string, by: Trader, to: Trader): Promise<any> {
  const response = await post(mint, by, { newCreatorWallet: addressOf(to) });
  const body = await response.json();
  if (response.status !== 201) throw new Error(`not prepared: ${JSON.stringify(body)}`);
  return body;
}

/** Prepares, signs and lands a transfer. */
async function transfer(mint: string, by: Trader, to: Trader): Promise<void> {
  const { intent } = await prepared(mint, by, to);
  const bytes = signBytes(Buffer.from(intent.serializedTransaction, 'base64'), by.wallet);
  expect(market.landSigned(bytes)).toBeNull();
}

// biome-ignore lint/suspicious/noExplicitAny: the schema is tested with OpenAPI
async function read(path: string, as?: Trader): Promise<any> {
  const response = await fetch(
    `${market.api.baseUrl}${path}`,
    // An anonymous reader that was told of a change.
    { headers: as === undefined ? { 'cache-control': 'no-cache' } : as.key.header },
  );
  return response.json();
}

/** The worker's reading of the pools. The api learns of changes as by a hint. */
async function readPools(): Promise<void> {
  const { database, tokenCaches } = market.api.dependencies;
  await database`update fee_pools set checked_at = 'epoch'`;
  const refresh = new FeeRefresh({
    ...feeDependencies(asWorker(database), [market.chain.rpcUrl]),
    onTokensChanged: (mints) => void changed.push(...mints),
  });
  while (await refresh.step());
  for (const mint of changed) {
    tokenCaches.tokens.drop(mint);
    tokenCaches.lists.clear();
  }
}

const refusal = async (response: Response, reason: string) => {
  const problem = await expectProblem(response, 'creator_transfer_refused');
  expect(problem.context).toMatchObject({ reason });
  return problem;
};

test('is the transaction of Meteora’s client, for the creator to sign, and the intent allows no other program', async () => {
  const { mint, pool } = await market.launch(curvePlans.steady, creator.wallet);
  const response = await post(mint, creator, { newCreatorWallet: addressOf(heir) });
  expect(response.status).toBe(201);
  // biome-ignore lint/suspicious/noExplicitAny: the schema is tested with OpenAPI
  const body = (await response.json()) as any;
  expect(body).toMatchObject({
    mintAddress: mint,
    poolAddress: pool,
    creatorWallet: addressOf(creator),
    newCreatorWallet: addressOf(heir),
    claimableTokenRaw: '0',
    intentUrl: `http://api.test/api/v2/transaction-intents/${body.intentId}`,
    intent: {
      id: body.intentId,
      kind: 'creator_transfer',
      expectedSigner: addressOf(creator),
      status: 'prepared',
    },
  });
  expect(response.headers.get('location')).toBe(`/api/v2/transaction-intents/${body.intentId}`);
  const stored = readCurvePool(market.chain.ledger.vm.getAccount(pool));
  expect(BigInt(body.claimableLamports)).toBe(stored?.creatorQuoteFee ?? -1n);
  expect(BigInt(body.claimableLamports)).toBeGreaterThan(0n);
  const bytes = Buffer.from(body.intent.serializedTransaction, 'base64');
  const { instructions } = TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message);
  const own = instructions.filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId));
  const client = new DynamicBondingCurveClient(new Connection(market.chain.rpcUrl, 'confirmed'), 'confirmed');
  const byClient = await client.creator.transferPoolCreator({
    pool: new PublicKey(pool),
    creator: creator.wallet.publicKey,
    newCreator: heir.wallet.publicKey,
  });
  // The wallet pays the fee, so the wire marks it as writable.
  const plain = ({ programId, keys, data }: (typeof own)[number]) => ({
    program: programId.toBase58(),
    data: Buffer.from(data).toString('hex'),
    keys: keys.map(({ pubkey, isSigner, isWritable }) => [
      pubkey.toBase58(),
      isSigner,
      isWritable || pubkey.equals(creator.wallet.publicKey),
    ]),
  });
  expect(own.map(plain)).toEqual(byClient.instructions.map(plain));
  const [row] = await market.api.dependencies.database<{ policy: { allowedPrograms: string[] } }[]>`
    select policy from transaction_intents where id = ${body.intentId}`;
  expect(row?.policy.allowedPrograms.toSorted()).toEqual([COMPUTE_BUDGET, BONDING_CURVE].toSorted());
});

test('the same key returns the same intent', async () => {
  const { mint } = await market.launch(curvePlans.steady, creator.wallet);
  const body = { newCreatorWallet: addressOf(heir) };
  const key = crypto.randomUUID();
  const first = await (await post(mint, creator, body, key)).text();
  const again = await post(mint, creator, body, key);
  expect([again.headers.get('idempotent-replayed'), await again.text()]).toEqual(['true', first]);
});

test('once it has landed, token, list and fees belong to the new creator, who is paid', async () => {
  const addresses = await market.launch(curvePlans.steady, creator.wallet);
  const { mint, pool } = addresses;
  await market.buy(addresses, 2_000_000_000n);
  await readPools();
  expect(await read(`/tokens/${mint}`)).toMatchObject({ creatorWallet: addressOf(creator) });
  const owed = await claimableOf(mint, creator);
  expect(owed).toBeGreaterThan(0n);
  expect(await claimableOf(mint, heir)).toBe(0n);

  expect(await announced(mint)).toEqual([]);
  changed.length = 0;
  await transfer(mint, creator, heir);
  await readPools();
  expect(changed).toEqual([mint]);
  await readPools();
  const [event, another] = await announced(mint);
  expect(another).toBeUndefined();
  expect(event).toEqual({
    mintAddress: mint,
    poolAddress: pool,
    creatorWallet: addressOf(heir),
    previousCreatorWallet: addressOf(creator),
    slot: expect.stringMatching(/^[1-9]\d*$/),
  });
  expect(Value.Check(CreatorChangeSchema, event)).toBe(true);
  expect(await read(`/tokens/${mint}`)).toMatchObject({ creatorWallet: addressOf(heir) });
  expect([await claimableOf(mint, creator), await claimableOf(mint, heir)]).toEqual([0n, owed]);
  const listed = async (wallet: Trader) =>
    (await read(`/tokens?creatorWallet=${addressOf(wallet)}&limit=100`)).data.map(
      ({ mintAddress }: { mintAddress: string }) => mintAddress,
    );
  expect([(await listed(creator)).includes(mint), (await listed(heir)).includes(mint)]).toEqual([
    false,
    true,
  ]);

  await expectPaid(addresses, heir, owed);
  await readPools();
  expect(await claimableOf(mint, heir)).toBe(0n);
  const stillOwed = readCurvePool(market.chain.ledger.vm.getAccount(pool))?.creatorQuoteFee;
  expect(stillOwed).toBe(0n);
  // The former creator can take nothing back.
  await refusal(await post(mint, creator, { newCreatorWallet: newAddress() }), 'not_creator');
});

test.each([
  [7n, WRAPPED_SOL_MINT],
  [8n, newAddress()],
])(
  'says what is owed in tokens, and no lamports of a pool against another token: %s',
  async (creatorBaseFee, quoteMint) => {
    const { mint, pool, config } = await market.launch(curvePlans.steady, creator.wallet);
    const { ledger } = market.chain;
    const change = (address: string, write: (data: Uint8Array) => void) => {
      const account = ledger.vm.getAccount(address) ?? expect.unreachable();
      const data = Buffer.from(account.data);
      write(data);
      ledger.setAccount(address, { ...account, data });
    };
    change(pool, (data) => writeCurvePool(data, { creatorBaseFee }));
    change(config, (data) => writeCurveConfigKeys(data, { quoteMint: quoteMint as Address }));
    market.settle();
    const body = await (await post(mint, creator, { newCreatorWallet: addressOf(heir) })).json();
    expect(body).toMatchObject({
      claimableTokenRaw: String(creatorBaseFee),
      claimableLamports: quoteMint === WRAPPED_SOL_MINT ? expect.stringMatching(/^[1-9]/) : null,
    });
  },
);

async function announced(mint: string): Promise<unknown[]> {
  const events = await storedEvents(market.api.dependencies.database, 'token.creator_changed', mint);
  return events.map(({ data }) => data);
}

async function claimableOf(mint: string, { key }: Trader): Promise<bigint> {
  const state = await read(`/tokens/${mint}/fees`, { key } as Trader);
  return BigInt(state.claimableLamports);
}

/** The curve pays the wrapped SOL that the wallet was owed, and nothing to anybody else. */
async function expectPaid(addresses: LaunchAddresses, { wallet }: Trader, owed: bigint): Promise<void> {
  const held = market.held(addresses.quoteVault);
  const owner = wallet.publicKey.toBase58();
  market.land(withAccounts(addresses, owner, claimCreatorFee(addresses, owner)), [wallet]);
  expect(held - market.held(addresses.quoteVault)).toBe(owed);
}

test('neither a feed nor a node that lags brings the former creator back', async () => {
  const { mint, pool } = await market.launch(curvePlans.steady, creator.wallet);
  const { database, outbox } = market.api.dependencies;
  const stored = async () =>
    (
      await database<
        { creatorWallet: string }[]
      >`select creator_wallet from tokens where mint_address = ${mint}`
    )[0]?.creatorWallet;
  await readPools();
  await transfer(mint, creator, heir);
  await readPools();
  const message = {
    ...tokenMessage(mint),
    creatorWallet: addressOf(creator),
    poolAddress: pool,
    launchType: 'dbc',
  };
  await database.begin((sql) =>
    upsertToken(sql, outbox, systemClock, { ...message, launchType: 'dbc', status: 'bonding' }),
  );
  expect(await stored()).toBe(addressOf(heir));
  const earlier = { mintAddress: mint, poolAddress: pool, creatorWallet: addressOf(creator), slot: 1n };
  const store = (creators: (typeof earlier)[]) =>
    asWorker(database).begin((sql) => storeTokenCreators(sql, outbox, creators, systemClock.now()));
  expect(await store([earlier])).toEqual([]);
  // Another pool than the token's says nothing about it.
  expect(await store([{ ...earlier, poolAddress: newAddress(), slot: 1_000_000n }])).toEqual([]);
  expect(await stored()).toBe(addressOf(heir));
  const before = await announced(mint);
  expect(before).toHaveLength(1);
  expect(await store([{ ...earlier, slot: 1_000_000n }])).toEqual([mint]);
  expect(await announced(mint)).toHaveLength(2);
  // A hidden token changes without an event, and a change that is rolled back leaves none.
  await database`update tokens set hidden = true where mint_address = ${mint}`;
  const back = { ...earlier, creatorWallet: addressOf(heir), slot: 1_000_001n };
  expect(await store([back])).toEqual([mint]);
  await database`update tokens set hidden = false where mint_address = ${mint}`;
  const undone = asWorker(database).begin(async (sql) => {
    await storeTokenCreators(sql, outbox, [{ ...earlier, slot: 1_000_002n }], systemClock.now());
    throw new Error('the worker died');
  });
  await expect(undone).rejects.toThrow('the worker died');
  expect(await announced(mint)).toHaveLength(2);
  expect(await stored()).toBe(addressOf(heir));
});

test('is refused for the wallet itself, and for addresses that could never claim', async () => {
  const { mint } = await market.launch(curvePlans.steady, creator.wallet);
  for (const newCreatorWallet of [addressOf(creator), mint, SYSTEM_PROGRAM, BONDING_CURVE, 'no address']) {
    const problem = await expectProblem(await post(mint, creator, { newCreatorWallet }), 'validation_failed');
    expect(problem.errors?.[0]?.path).toBe('/body/newCreatorWallet');
  }
});

test('is refused without a pool, by a wallet that is not the creator, and without a visible token', async () => {
  const { mint, pool } = await market.launch(curvePlans.steady, creator.wallet);
  const to = { newCreatorWallet: addressOf(heir) };
  const stranger = await market.trader();
  const problem = await refusal(await post(mint, stranger, to), 'not_creator');
  expect(problem.context).toMatchObject({ creatorWallet: addressOf(creator) });
  await expectProblem(await post(newAddress(), creator, to), 'token_not_found');
  const unlaunched = newAddress();
  await market.list(unlaunched, null);
  await refusal(await post(unlaunched, creator, to), 'no_pool');
  const elsewhere = newAddress();
  await market.list(elsewhere, newAddress());
  await refusal(await post(elsewhere, creator, to), 'no_pool');
  await expectProblem(await post(mint, creator, { ...to, route: 'protected' }), 'send_route_unavailable');
  await market.api.dependencies.database`update tokens set hidden = true where mint_address = ${mint}`;
  await expectProblem(await post(mint, creator, to), 'token_not_found');
  expect(readCurvePool(market.chain.ledger.vm.getAccount(pool))).not.toBeNull();
});

test('is refused from the completion of the curve until its migration, then prepared again', async () => {
  const addresses = await market.launch(curvePlans.quick, creator.wallet);
  const to = { newCreatorWallet: addressOf(heir) };
  await market.buy(addresses, 90_000_000_000n);
  await refusal(await post(addresses.mint, creator, to), 'migrating');
  market.migrate(addresses);
  await transfer(addresses.mint, creator, heir);

  setMigrationOption(addresses.config, 0);
  const migration = await dammV1MigrationAddress(addresses.pool);
  market.chain.ledger.setAccount(
    migration,
    dammV1MigrationOf(addresses.pool, [0n, 0n, 5n, 0n], [0, 0, 0, 0]),
  );
  await refusal(
    await post(addresses.mint, heir, { newCreatorWallet: addressOf(creator) }),
    'liquidity_pending',
  );
  market.chain.ledger.setAccount(
    migration,
    dammV1MigrationOf(addresses.pool, [0n, 0n, 5n, 0n], [1, 0, 0, 0]),
  );
  await transfer(addresses.mint, heir, creator);
  market.chain.ledger.setAccount(migration, dammV1MigrationOf(newAddress(), [0n, 0n, 0n, 0n], [0, 0, 0, 0]));
  const problem = await refusal(await post(addresses.mint, creator, to), 'program_error');
  expect(problem.context?.programError).toEqual({
    program: BONDING_CURVE,
    number: 6038,
    name: 'InvalidAccount',
  });
});

function setMigrationOption(config: string, option: number): void {
  const account = market.chain.ledger.vm.getAccount(config);
  if (account === null) throw new Error('no config');
  const data = Uint8Array.from(account.data);
  writeCurveConfig(data, { migrationOption: option });
  market.chain.ledger.setAccount(config, { ...account, data });
  market.settle();
}

test('says what a wallet lacks that cannot pay', async () => {
  const poor = await market.trader();
  const to = { newCreatorWallet: addressOf(heir) };
  const other = await market.launch(curvePlans.steady, poor.wallet);
  const account = market.chain.ledger.vm.getAccount(addressOf(poor));
  if (account === null) throw new Error('no wallet');
  market.chain.ledger.setAccount(addressOf(poor), { ...account, lamports: 1_000n });
  market.settle();
  const problem = await refusal(await post(other.mint, poor, to), 'insufficient_funds');
  expect(problem.context).toMatchObject({ haveRaw: '1000', needRaw: '5000' });
});

test('names the reason of a pool that changed between its read and the simulation', () => {
  const failed = (number: number) =>
    ({ kind: 'instruction', at: 2, program: BONDING_CURVE, number, error: 'Custom' }) as const;
  const reasonOf = (problem: Problem) => problem.facts.context?.reason;
  expect(reasonOf(simulationRefusal(failed(6053), false))).toBe('not_creator');
  expect(reasonOf(simulationRefusal(failed(6022), false))).toBe('migrating');
  expect(
    reasonOf(simulationRefusal({ kind: 'transaction', isUnfunded: false, belowRent: null }, false)),
  ).toBe('refused');
});

test('is unavailable while no node responds', async () => {
  const { mint } = await market.launch(curvePlans.steady, creator.wallet);
  node.answer = (method) => (method === 'getMultipleAccounts' ? { code: -32_005, message: 'behind' } : null);
  const response = await post(mint, creator, { newCreatorWallet: addressOf(heir) });
  node.answer = () => null;
  await expectProblem(response, 'chain_unavailable');
});
