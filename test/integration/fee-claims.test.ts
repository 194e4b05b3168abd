import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { createClient, secretKeySigner } from '../../packages/client/src/launchwire.ts';
import { startChain } from '../../sandbox/chain/server.ts';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import { readCurveAccrued, readPositionAccrued } from '../../src/chain/accounts/accrued-fees.ts';
import {
  ASSOCIATED_TOKEN,
  BONDING_CURVE,
  COMPUTE_BUDGET,
  DAMM_V2,
  SPL_TOKEN,
  WRAPPED_SOL_MINT,
} from '../../src/chain/accounts/programs.ts';
import { AMOUNT_OFFSET } from '../../src/chain/accounts/token-account.ts';
import type { Claim } from '../../src/chain/pools/claims/claim.ts';
import {
  readCurvePool,
  readCurvePoolKeys,
  writeCurvePool,
} from '../../src/chain/pools/curve/pool-account.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import { WalletClaims } from '../../src/features/fees/claimable/wallet-claims.ts';
import { prepareClaims } from '../../src/features/fees/claims/prepare-claims.ts';
import { type FeeClaims, FeeClaimsSchema } from '../../src/features/fees/claims/schema.ts';
import { settleClaims } from '../../src/features/fees/claims/settle-claims.ts';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import { recordFeeFacts } from '../../src/indexer/fees/fee-facts.ts';
import { FeeRefresh } from '../../src/indexer/fees/fee-refresh.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { automaticSending } from '../../src/intents/sending.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { Problem } from '../../src/shared/problem.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { runCommandLine, startCommandLine } from '../support/client/command-line.ts';
import { recordFields } from '../support/contract-coverage/fields.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { LaunchedPool } from '../support/launched-pool.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { feeDependencies } from '../support/market/pool-fees.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { lookup } from '../support/pools/damm-fixtures.ts';
import { asWorker, intentContext } from '../support/processes/worker-context.ts';
import { storedEvents } from '../support/rows/stored-events.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { settlingConnection } from '../support/settling-connection.ts';
import { signBytes, TradedMarket, type Trader } from '../support/trading/traded-market.ts';

let market: TradedMarket;
let database: TestDatabase;
/** One has migrated, with every kind of claim on it; the other is on its curve. */
let migrated: LaunchedPool;
let bonding: LaunchedPool;
let partner: Trader;
let creator: Trader;

const db = () => market.api.dependencies.database;

beforeAll(async () => {
  const chain = await startChain({ slotMs: 250 });
  atEnd(() => chain.stop());
  database = await createTestDatabase();
  market = await TradedMarket.over(chain, {}, database);
  const connection = settlingConnection(chain.rpcUrl);
  const kind = { isToken2022: false, hasCustomizableFee: true, hasVesting: false, leftoverTokens: 1_000 };
  migrated = new LaunchedPool(connection, kind);
  bonding = new LaunchedPool(connection, { ...kind, isToken2022: true });
  await Promise.all([migrated.fund(), bonding.fund()]);
  await Promise.all([migrated.launch(), bonding.launch()]);
  await bonding.buyAtQuote(5);
  await migrated.complete();
  await migrated.migrate();
  addSurplus(1_000_000_007n);
  await migrated.tradeAfterMigration();
  await market.list(migrated.mint, migrated.pool);
  await market.list(bonding.mint, bonding.pool);
  partner = await traderOf(migrated.partner);
  creator = await traderOf(migrated.creator);
  for (const owner of [migrated.partner, migrated.creator])
    for (const { position, nftMint } of await migrated.positionsOf(owner))
      await db()`insert into fee_positions (position_address, mint_address, owner_wallet, nft_mint_address)
        values (${position}, ${migrated.mint}, ${owner.publicKey.toBase58()}, ${nftMint})`;
  const refresh = new FeeRefresh(feeDependencies(db(), [chain.rpcUrl]));
  while (await refresh.step());
});

/** Curves of other terms take more than their threshold with the last buy; this one cannot. */
function addSurplus(lamports: bigint): void {
  const { ledger } = market.chain;
  const pool = ledger.vm.getAccount(migrated.pool);
  const vaultAddress = readCurvePoolKeys(account(migrated.pool))?.quoteVault ?? '';
  const vault = ledger.vm.getAccount(vaultAddress);
  const state = readCurvePool(account(migrated.pool));
  if (pool === null || vault === null || state === null) throw new Error('the pool does not exist');
  const poolData = Buffer.from(pool.data);
  writeCurvePool(poolData, { quoteReserve: state.quoteReserve + lamports });
  ledger.setAccount(migrated.pool, { ...pool, data: poolData });
  const vaultData = Buffer.from(vault.data);
  vaultData.writeBigUInt64LE(vaultData.readBigUInt64LE(AMOUNT_OFFSET) + lamports, AMOUNT_OFFSET);
  ledger.setAccount(vaultAddress, { ...vault, lamports: vault.lamports + lamports, data: vaultData });
}

async function traderOf(wallet: Keypair): Promise<Trader> {
  return { wallet, key: await createTestKey(db(), { walletAddress: wallet.publicKey.toBase58() }) };
}

function claim({ key }: Trader, body: Record<string, unknown> = {}, idempotencyKey = crypto.randomUUID()) {
  return fetch(`${market.api.baseUrl}/fee-claims`, {
    method: 'POST',
    headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
  });
}

async function prepared(trader: Trader, body: Record<string, unknown> = {}): Promise<FeeClaims> {
  const response = await claim(trader, body);
  const answer = await response.json();
  if (response.status !== 201) throw new Error(`not prepared: ${JSON.stringify(answer)}`);
  return answer as FeeClaims;
}

/** Signs, submits and confirms; returns how the intent ended. */
async function landed(intent: FeeClaims['intents'][number]['intent'], trader: Trader) {
  const signed = signBytes(Buffer.from(intent.serializedTransaction, 'base64'), trader.wallet);
  const response = await market.submit(intent.id, trader, signed);
  expect(response.status).toBe(202);
  const { context } = intentContext(db(), createChainRpcs([market.chain.rpcUrl]), systemClock);
  return eventually('the end of the intent', async () => {
    await (await broadcastDue(context, 64)).sent;
    await confirmSubmitted(context);
    const now = await market.intent(intent.id, trader);
    return now.status === 'submitted' ? null : (now as { status: string; transactionSignature: string });
  });
}

function account(address: string) {
  const found = market.chain.ledger.vm.getAccount(address);
  return found === null ? null : { owner: found.owner, data: Uint8Array.from(found.data) };
}

/** What the accounts of the migrated token owe a wallet in lamports, by the readers of fee states. */
async function owed(wallet: Keypair): Promise<bigint> {
  const curve = readCurveAccrued(account(migrated.pool), account(migrated.config));
  const ofCurve = wallet === migrated.creator ? curve?.creator : curve?.partner;
  let sum = ofCurve ?? 0n;
  for (const { position, pool } of await migrated.positionsOf(wallet)) {
    const accounts = { address: pool, account: account(pool) };
    sum += readPositionAccrued(accounts, account(position), WRAPPED_SOL_MINT)?.unclaimedRaw ?? 0n;
  }
  return sum;
}

const kindsOf = ({ intents }: FeeClaims): string[] =>
  intents.flatMap(({ claims }) => claims.map(({ kind }) => kind)).sort();
type Cost = 'networkFeeLamports' | 'rentLamports';
const total = (shown: { intents: Record<Cost, string>[] }, field: Cost) =>
  shown.intents.reduce((sum, intent) => sum + BigInt(intent[field]), 0n);

/** The indexer finds the payments; the event and the distributions then name the intent, to its account alone. */
async function expectAnnounced(trader: Trader, shown: FeeClaims, signature: string): Promise<void> {
  const [{ intent, claims }] = shown.intents as [FeeClaims['intents'][number]];
  const { context } = intentContext(db(), [], systemClock);
  await settleClaims(context);
  expect(await eventsOfIntent(intent.id)).toEqual([]);
  await index(signature);
  await Promise.all([settleClaims(context), settleClaims(context)]);
  await settleClaims(context);
  const [event, another] = await eventsOfIntent(intent.id);
  expect(another).toBeUndefined();
  expect(event?.data).toEqual({
    intentId: intent.id,
    walletAddress: shown.walletAddress,
    transactionSignature: signature,
    claimedLamports: shown.claimedLamports,
    claims: claims.map(({ quoteRaw, baseRaw: _baseRaw, ...claim }) => ({
      ...claim,
      paidLamports: claim.kind === 'leftover' ? null : quoteRaw,
    })),
  });
  const stranger = await traderOf(Keypair.generate());
  const named = async (reader: Trader) => {
    const url = `${market.api.baseUrl}/tokens/${migrated.mint}/fee-distributions`;
    const { data } = (await (await fetch(url, { headers: reader.key.header })).json()) as {
      data: { transactionSignature: string; intentId: string | null; amountLamports: string }[];
    };
    return data.filter(({ transactionSignature }) => transactionSignature === signature);
  };
  const own = await named(trader);
  expect(own.map(({ intentId }) => intentId)).toEqual(own.map(() => intent.id));
  const sum = own.reduce((lamports, { amountLamports }) => lamports + BigInt(amountLamports), 0n);
  expect(String(sum)).toBe(shown.claimedLamports);
  expect((await named(stranger)).map(({ intentId }) => intentId)).toEqual(own.map(() => null));
}

const eventsOfIntent = (intentId: string) => storedEvents(db(), 'fees.claimed', intentId);

/** Stores the claims of a landed transaction as the indexer does. */
async function index(signature: string): Promise<void> {
  const response = await fetch(market.chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getTransaction',
      params: [signature, { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 }],
    }),
  });
  const { result } = (await response.json()) as { result: Parameters<typeof readChainTransaction>[0] };
  const pools = lookup([{ poolAddress: migrated.pool, mintAddress: migrated.mint, decimals: 6 }]);
  const [{ pool = '' } = {}] = await migrated.positionsOf(migrated.partner);
  const amm = lookup([{ poolAddress: pool, mintAddress: migrated.mint, decimals: 6, venue: 'damm' }]);
  const both = { get: (address: string) => pools.get(address) ?? amm.get(address) };
  const decoded = decodeTransaction(readChainTransaction(result), both);
  await recordFeeFacts(feeDependencies(asWorker(db()), [market.chain.rpcUrl]), [decoded]);
}

describe('claims of every kind', () => {
  let stale: Claim[] = [];

  beforeAll(async () => {
    const { items } = await market.api.dependencies.walletClaims.page(partner.key.walletAddress, {
      limit: 100,
    });
    stale = items.flatMap(({ claims }) => claims);
  });

  test.each([
    [
      'the partner',
      () => partner,
      ['leftover', 'partner_migration_fee', 'partner_surplus', 'partner_trading_fee', 'position_fee'],
      {},
    ],
    [
      'the creator',
      () => creator,
      ['creator_migration_fee', 'creator_surplus', 'creator_trading_fee', 'position_fee'],
      { computeUnitPrice: '20000' },
    ],
  ])('of %s land in one transaction, and pay exactly what was owed', async (_who, trader, kinds, sending) => {
    const wallet = trader();
    const due = await owed(wallet.wallet);
    const before = market.lamportsOf(wallet);
    const shown = await prepared(wallet, sending);
    expect(kindsOf(shown)).toEqual([...kinds]);
    expect(shown.intents).toHaveLength(1);
    expect(BigInt(shown.claimedLamports)).toBe(due);
    const [{ intent }] = shown.intents as [FeeClaims['intents'][number]];
    const ended = await landed(intent, wallet);
    expect(ended.status).toBe('confirmed');
    const received = market.lamportsOf(wallet) - before;
    expect(received).toBe(due - total(shown, 'networkFeeLamports') - total(shown, 'rentLamports'));
    expect(await owed(wallet.wallet)).toBe(0n);
    const again = await claim(wallet);
    await expectProblem(again, 'fee_claims_empty');
    expect(new Set(intent.policy.allowedPrograms)).toEqual(
      new Set([COMPUTE_BUDGET, ASSOCIATED_TOKEN, SPL_TOKEN, BONDING_CURVE, DAMM_V2]),
    );
    await expectAnnounced(wallet, shown, ended.transactionSignature);
  });

  test('that somebody made a moment ago are left out, and the others are prepared', async () => {
    const request = {
      accountId: partner.key.accountId,
      wallet: partner.key.walletAddress,
      mints: null,
      afterMint: null,
      kinds: null,
      minimumLamports: 0n,
      sending: automaticSending,
    };
    const answer = async (claims: readonly Claim[], next: [string] | null = null) => {
      const { dependencies } = market.api;
      const walletClaims = new StaleClaims({ ...dependencies, nftSources: [] }, claims, next);
      const claimed = await prepareClaims({ ...dependencies, walletClaims }, request);
      if (!(claimed instanceof Problem))
        recordFields({ name: 'createFeeClaims', schema: FeeClaimsSchema }, () => claimed.shown);
      return claimed;
    };
    const some = await answer(stale);
    if (some instanceof Problem) throw some;
    expect(kindsOf(some.shown)).toEqual(['partner_trading_fee', 'position_fee']);
    const reasons = some.shown.leftOut.map(({ claim: { kind }, reason, programError }) => [
      kind,
      reason,
      programError?.name,
    ]);
    expect(reasons.sort()).toEqual([
      ['leftover', 'simulation_failed', 'LeftoverHasBeenWithdraw'],
      ['partner_migration_fee', 'simulation_failed', 'MigrationFeeHasBeenWithdraw'],
      ['partner_surplus', 'simulation_failed', 'SurplusHasBeenWithdraw'],
    ]);
    const none = await answer(stale.filter(({ kind }) => kind === 'partner_surplus'));
    expect(none).toMatchObject({
      code: 'fee_claims_refused',
      facts: { context: { reason: 'claims_refused' } },
    });
    // No node has reached the slot in which the newest of them was read, wherever it stands.
    for (const [newest] of stale.entries()) {
      const ahead = stale.map((one, at) => (at === newest ? { ...one, slot: one.slot + 1_000_000n } : one));
      expect(await answer(ahead)).toMatchObject({ code: 'chain_unavailable' });
    }
    const hooked = stale.flatMap((one) =>
      one.kind === 'partner_trading_fee' ? [{ ...one, hasTransferHook: true }] : [],
    );
    const others = stale.filter(({ kind }) => kind === 'position_fee');
    const withHook = expect.objectContaining({ reason: 'transfer_hook', programError: null });
    expect(await answer([...hooked, ...others], [migrated.mint])).toMatchObject({
      shown: { leftOut: expect.arrayContaining([withHook]), nextMint: migrated.mint },
    });
    expect(await answer(hooked)).toMatchObject({
      facts: { context: { leftOut: [{ reason: 'transfer_hook', programError: null }] } },
    });
  });
});

/** Reads what was there a moment ago. */
class StaleClaims extends WalletClaims {
  readonly #claims: readonly Claim[];
  readonly #next: [string] | null;

  constructor(
    dependencies: ConstructorParameters<typeof WalletClaims>[0],
    claims: readonly Claim[],
    next: [string] | null,
  ) {
    super(dependencies);
    this.#claims = claims;
    this.#next = next;
  }

  override async page() {
    const token = {
      mintAddress: migrated.mint,
      name: '',
      symbol: '',
      decimals: 6,
      poolAddress: migrated.pool,
    };
    return {
      items: [{ ...token, claims: [...this.#claims], unread: [] }],
      next: this.#next,
      arePositionsComplete: true,
    };
  }
}

describe('claims of a trading fee', () => {
  const onBonding = { kinds: ['creator_trading_fee'] };
  let owner: Trader;

  beforeAll(async () => {
    owner = await traderOf(bonding.creator);
  });

  test('sent twice under one key, also at once, are one set of intents', async () => {
    const key = crypto.randomUUID();
    const answers = await Promise.all([claim(owner, onBonding, key), claim(owner, onBonding, key)]);
    const repeated = await claim(owner, onBonding, key);
    const bodies = await Promise.all(
      [...answers, repeated].filter(({ status }) => status === 201).map((answer) => answer.json()),
    );
    expect(bodies.length).toBeGreaterThanOrEqual(2);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    const { accountId } = owner.key;
    expect(await db()`select 1 from fee_claim_intents where account_id = ${accountId}`).toHaveLength(1);
    expect(
      await db()`select 1 from transaction_intents where account_id = ${accountId} and kind = 'fee_claim'`,
    ).toHaveLength(1);
  });

  test('under two keys are two transactions: what the first took, the second does not pay again', async () => {
    const [first, second] = [await prepared(owner, onBonding), await prepared(owner, onBonding)];
    const before = market.lamportsOf(owner);
    for (const shown of [first, second]) {
      const [{ intent }] = shown.intents as [FeeClaims['intents'][number]];
      expect((await landed(intent, owner)).status).toBe('confirmed');
    }
    const fees = total(first, 'networkFeeLamports') + total(second, 'networkFeeLamports');
    expect(market.lamportsOf(owner) - before).toBe(BigInt(first.claimedLamports) - fees);
  });

  test('pay what has grown until they land', async () => {
    await bonding.sell(1_000_000_000);
    const shown = await prepared(owner, onBonding);
    const before = market.lamportsOf(owner);
    await bonding.buyAtQuote(1);
    const due = readCurveAccrued(account(bonding.pool), account(bonding.config))?.creator ?? 0n;
    expect(due).toBeGreaterThan(BigInt(shown.claimedLamports));
    const [{ intent }] = shown.intents as [FeeClaims['intents'][number]];
    await landed(intent, owner);
    expect(market.lamportsOf(owner) - before).toBe(due - total(shown, 'networkFeeLamports'));
  });
});

describe('the command of the operator', () => {
  const prepare = (...args: string[]) =>
    runAdmin(['fees', 'prepare', ...args, '--json'], {
      DATABASE_URL: database.url,
      SOLANA_RPC_URL: market.chain.rpcUrl,
    });

  test("prepares what the platform's wallet signs, and what lands pays exactly what was said", async () => {
    const platform = await traderOf(bonding.partner);
    const wallet = platform.key.walletAddress;
    const due = readCurveAccrued(account(bonding.pool), account(bonding.config))?.partner ?? 0n;
    const { code, output } = await prepare('--wallet', wallet);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    const shown = JSON.parse(output) as {
      lamports: string;
      signBefore: string;
      transactions: Record<string, Record<'transaction' | 'lamports' | Cost, string>>;
      claims: { transaction: string; kind: string; mintAddress: string }[];
    };
    expect(shown.lamports).toBe(String(due));
    expect(shown.signBefore).toMatch(/^\d{4}-.*Z$/);
    expect(shown.claims).toMatchObject([
      { transaction: '1', kind: 'partner_trading_fee', mintAddress: bonding.mint },
    ]);
    const before = market.lamportsOf(platform);
    const transactions = Object.values(shown.transactions);
    for (const { transaction } of transactions) {
      const bytes = signBytes(Buffer.from(transaction, 'base64'), bonding.partner);
      expect(market.landSigned(bytes)).toBeNull();
    }
    const costs =
      total({ intents: transactions }, 'networkFeeLamports') +
      total({ intents: transactions }, 'rentLamports');
    expect(market.lamportsOf(platform) - before).toBe(due - costs);
    expect(await db()`select 1 from transaction_intents where expected_signer = ${wallet}`).toHaveLength(0);
    expect(await prepare('--wallet', wallet)).toMatchObject({
      code: 1,
      output: expect.stringContaining('claim'),
    });
  });

  test('says which wallets are partners where there are several, and refuses without a node', async () => {
    const refused = await prepare();
    expect(refused.code).toBe(1);
    for (const { publicKey } of [migrated.partner, bonding.partner])
      expect(refused.output).toContain(publicKey.toBase58());
    const environment = { DATABASE_URL: database.url };
    const wallet = bonding.partner.publicKey.toBase58();
    expect(await runAdmin(['fees', 'prepare', '--wallet', wallet], environment)).toMatchObject({
      code: 1,
      output: expect.stringContaining('SOLANA_RPC_URL is missing'),
    });
    expect(await prepare('--kinds', 'tips')).toMatchObject({ code: 2 });
  });
});

test('claims beyond the most intents of a request remain for the next one: those that pay the least', async () => {
  const maker = await market.trader();
  const mints: string[] = [];
  for (let at = 0; at < 45; at += 1) {
    const launched = await market.launch(curvePlans.steady, maker.wallet);
    mints.push(launched.mint);
    if (at % 9 === 0) await market.buy(launched, 10_000_000n * BigInt(at + 1));
  }
  const first = await prepared(maker, { mints });
  expect(first.intents).toHaveLength(unpublishedLimits.feeClaimIntents);
  const claimed = first.intents.flatMap(({ claims }) => claims);
  expect(first.remaining.length).toBeGreaterThan(0);
  expect(claimed.length + first.remaining.length).toBe(mints.length);
  const lamports = [claimed, first.remaining].map((claims) => claims.map(({ quoteRaw }) => Number(quoteRaw)));
  const [taken = [], left = []] = lamports;
  expect(Math.max(...taken)).toBeGreaterThan(Math.min(...taken));
  expect(Math.min(...taken)).toBeGreaterThanOrEqual(Math.max(...left));
  const rest = first.remaining.map(({ mintAddress }) => mintAddress);
  expect(new Set([...claimed.map(({ mintAddress }) => mintAddress), ...rest])).toEqual(new Set(mints));
  const second = await prepared(maker, { mints: rest });
  expect(
    second.intents
      .flatMap(({ claims }) => claims)
      .map(({ mintAddress }) => mintAddress)
      .sort(),
  ).toEqual(rest.toSorted());
  expect(second.remaining).toEqual([]);
});

describe('the npm package', () => {
  /** Lets the worker send and confirm until the work has ended. */
  async function whileWorking<Result>(work: Promise<Result>): Promise<Result> {
    const { context } = intentContext(db(), createChainRpcs([market.chain.rpcUrl]), systemClock);
    context.onStatusChanged = (intentIds) => market.api.dependencies.pipeline.waits.wake(intentIds);
    let ended: Result | null = null;
    void work.then(
      (result) => {
        ended = result;
      },
      () => {},
    );
    return Promise.race([
      work,
      eventually('the end of the claims', async () => {
        await (await broadcastDue(context, 64)).sent;
        await confirmSubmitted(context);
        return ended;
      }),
    ]);
  }

  test('prepares, signs, submits and waits; a repeated call under its key claims once', async () => {
    await bonding.sell(1_000_000_000);
    const owner = await traderOf(bonding.creator);
    const client = createClient({ baseUrl: market.api.origin, apiKey: owner.key.text });
    const signer = await secretKeySigner(owner.wallet.secretKey);
    const before = market.lamportsOf(owner);
    const steps: string[] = [];
    const options = { idempotencyKey: 'claims of today', onStep: (step: string) => void steps.push(step) };
    const { claims, intents } = await whileWorking(client.claimFees({}, signer, options));
    expect(intents.map(({ status }) => status)).toEqual(['confirmed']);
    expect(steps).toEqual(['prepared', 'submitted', 'confirmed']);
    const fees = total(claims, 'networkFeeLamports');
    expect(market.lamportsOf(owner) - before).toBe(BigInt(claims.claimedLamports) - fees);
    const again = await whileWorking(client.claimFees({}, signer, options));
    expect(again.intents.map(({ id }) => id)).toEqual(intents.map(({ id }) => id));
    expect(market.lamportsOf(owner) - before).toBe(BigInt(claims.claimedLamports) - fees);
  });

  test('has a command, which prints what it claimed and refuses what it does not know', async () => {
    await bonding.sell(1_000_000_000);
    const owner = await traderOf(bonding.creator);
    const keyFile = join(createTempDir('claim-wallet'), 'wallet.json');
    writeFileSync(keyFile, JSON.stringify([...owner.wallet.secretKey]));
    const settings = { url: market.api.origin, apiKey: owner.key.text };
    const words = ['claim', '--kinds', 'creator_trading_fee', '--minimum', '1', '--key-file', keyFile];
    const { written, ended } = startCommandLine(words, settings);
    expect(await whileWorking(ended.then((code) => ({ code })))).toEqual({ code: 0 });
    expect(written.out).toMatch(/confirmed +1 +\d+ \([\d.]+ SOL\)/);
    expect(written.err).toMatch(/^prepared: 1 transactions, \d+ \([\d.]+ SOL\)\nsubmitted: intent/);
    const refused = await runCommandLine(['claim', '--kinds', 'tips', '--key-file', keyFile], settings);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('creator_trading_fee') });
    const few = await runCommandLine(['claim', '--minimum', '1sol', '--key-file', keyFile], settings);
    expect(few.code).toBe(2);
  });
});

describe('a request', () => {
  test.each([
    [{ mints: [] }, '/body/mints'],
    [{ mints: ['not an address'] }, '/body/mints/0'],
    [{ kinds: ['tips'] }, '/body/kinds/0'],
    [{ minimumLamports: '-1' }, '/body/minimumLamports'],
    [{ afterMint: 'x' }, '/body/afterMint'],
    [{ everything: true }, '/body/everything'],
  ])('of %j is refused', async (body, path) => {
    const problem = await expectProblem(await claim(creator, body), 'validation_failed');
    expect(problem.errors?.map((error) => error.path)).toContain(path);
  });

  test('that leaves nothing is refused, and so are unknown tokens', async () => {
    await bonding.sell(1_000_000_000);
    const owner = await traderOf(bonding.creator);
    await expectProblem(await claim(owner, { minimumLamports: '1000000000000' }), 'fee_claims_empty');
    await expectProblem(await claim(owner, { kinds: ['position_fee'] }), 'fee_claims_empty');
    await expectProblem(await claim(owner, { mints: [newAddress()] }), 'fee_claims_empty');
    await expectProblem(await claim(owner, { route: 'protected' }), 'send_route_unavailable');
  });

  test('of a wallet that cannot pay for it says how much is missing', async () => {
    const owner = await traderOf(bonding.creator);
    const { ledger } = market.chain;
    const full = ledger.vm.getAccount(owner.key.walletAddress);
    if (full === null) throw new Error('the wallet does not exist');
    ledger.setAccount(owner.key.walletAddress, { ...full, lamports: 1_000_000n });
    market.settle();
    // The launches of a test before may have taken the chain further than a lone node is believed for some seconds.
    const response = await eventually('a believed head', async () => {
      const claimed = await claim(owner);
      return claimed.status !== 503 && claimed;
    });
    const problem = await expectProblem(response, 'fee_claims_refused');
    expect(problem.context).toMatchObject({ reason: 'insufficient_funds', haveRaw: '1000000' });
    expect(BigInt(String(problem.context?.needRaw))).toBeGreaterThan(1_000_000n);
    ledger.setAccount(owner.key.walletAddress, full);
  });

  test('while no node responds is refused, and stores nothing', async () => {
    market.chain.setFaults({ down: 'unavailable' });
    await expectProblem(await claim(creator), 'chain_unavailable');
    market.chain.setFaults({});
  });
});
