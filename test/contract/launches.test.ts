import { beforeAll, describe, expect, test } from 'bun:test';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { SPL_TOKEN, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { readTransaction } from '../../src/chain/transaction-reader.ts';
import { associatedAccount } from '../../src/chain/transactions/token-instructions.ts';
import { verifyStrict } from '../../src/chain/verify-signature.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { SMALL_PNG } from '../support/api/sample-requests.ts';
import { interceptNode, type NodeInterceptor } from '../support/chain/node-interceptor.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { insertIntent } from '../support/intents/submitted-intent.ts';
import { insertLaunch } from '../support/launches/insert-launch.ts';
import { type LaunchStage, startLaunchStage } from '../support/launches/launch-stage.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { signBytes } from '../support/trading/traded-market.ts';

const SOL = 1_000_000_000n;
/** Number of the instruction of the token program. */
const CLOSE_ACCOUNT = 9;
const texts = {
  name: 'Copper Wire',
  symbol: 'COPPER',
  description: 'Conducts.</script><script>alert(1)</script>',
  imageUrl: 'https://images.example.com/copper.png',
  links: { twitter: '@copperwire', telegram: 't.me/copperwire', website: 'copperwire.example.com' },
};

let stage: LaunchStage;
let fallingFee: string;
let node: NodeInterceptor;
let api: TestApi;
let wallet: Keypair;
let key: TestKey;
let requests = 0;

beforeAll(async () => {
  stage = await startLaunchStage();
  fallingFee = await stage.createConfig('scheduled');
  node = interceptNode(stage.chain.rpcUrl);
  atEnd(() => node.stop());
  api = await startTestApi({
    environment: {
      IMAGE_FOLDER: createTempDir('images'),
      SOLANA_RPC_URL: node.rpcUrl,
      LAUNCH_CURVE_CONFIGS: `standard=${stage.config},falling-fee=${fallingFee},gone=${newAddress()}`,
    },
  });
  wallet = await stage.fundedWallet();
  key = await keyOf(wallet);
  await eventually('the head of the chain', async () => api.dependencies.chainHead.current());
});

function keyOf({ publicKey }: Keypair, accountId?: string): Promise<TestKey> {
  const walletAddress = publicKey.toBase58();
  return createTestKey(api.dependencies.database, {
    walletAddress,
    ...(accountId === undefined ? {} : { accountId }),
  });
}

interface Options {
  as?: TestKey;
  on?: TestApi;
  idempotencyKey?: string;
}

function post(body: unknown, { as = key, on = api, idempotencyKey }: Options = {}): Promise<Response> {
  requests += 1;
  return fetch(`${on.baseUrl}/launches`, {
    method: 'POST',
    headers: {
      ...as.header,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey ?? `launch-${requests.toString().padStart(6, '0')}`,
    },
    body: JSON.stringify(body),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations; their schemas are tested elsewhere
async function get(path: string, as: TestKey | null = key): Promise<any> {
  const response = await fetch(`${api.baseUrl}${path}`, as === null ? {} : { headers: as.header });
  return response.json();
}

// biome-ignore lint/suspicious/noExplicitAny: the schema is tested with OpenAPI
async function launched(body: unknown = texts, options: Options = {}): Promise<any> {
  const response = await post(body, options);
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const launch = (await response.json()) as any;
  expect([response.status, launch.code]).toEqual([201, undefined]);
  expect(response.headers.get('location')).toBe(`/api/v2/launches/${launch.id}`);
  return launch;
}

const uniqueKey = async () => keyOf(await stage.fundedWallet());

describe('createLaunch (contract/launches#launch)', () => {
  test('names an uploaded image by its hash, and publishes its address', async () => {
    const headers = { ...key.header, 'content-type': 'image/png' };
    const uploaded = await fetch(`${api.baseUrl}/images`, { method: 'POST', headers, body: SMALL_PNG });
    // biome-ignore lint/suspicious/noExplicitAny: the schema is tested with OpenAPI
    const image = (await uploaded.json()) as any;
    const launch = await launched({ ...texts, imageUrl: image.imageUrl });
    expect(launch.imageUrl).toBe(image.url);
    expect(await get(`/tokens/${launch.mintAddress}`, null)).toMatchObject({ imageUrl: image.url });
    const document = await fetch(`${api.origin}/token-metadata/${launch.mintAddress}`);
    expect(await document.json()).toMatchObject({ image: image.url });
    for (const [imageUrl, code] of [
      [`image:${'0'.repeat(64)}`, 'invalid_value'],
      ['image:../../etc/passwd', 'invalid_format'],
      [`image:${image.hash}/x`, 'invalid_format'],
      [`IMAGE:${image.hash}`, 'invalid_format'],
    ] as const) {
      const { errors } = await expectProblem(await post({ ...texts, imageUrl }), 'validation_failed');
      expect(errors).toMatchObject([{ path: '/body/imageUrl', code }]);
    }
  });

  test('shows why one failed, with the signature of its transaction', async () => {
    const { database: db } = api.dependencies;
    const { accountId } = key;
    const now = new Date();
    const facts = { transaction: new Uint8Array(4), lastValidBlockHeight: 9n, expiresAt: now, now };
    const intentId = await insertIntent(db, accountId, facts);
    const id = await insertLaunch(db, { accountId, intentId });
    await db`
      update transaction_intents set status = 'failed', error_code = 'solana_transaction_failed', error_detail = 'Refused.',
        transaction_signature = 'signed', version = version + 1, completed_at = ${now} where id = ${intentId}`;
    await db`update launches set status = 'failed', completed_at = ${now} where id = ${id}`;
    expect(await get(`/launches/${id}`)).toMatchObject({
      status: 'failed',
      transactionSignature: 'signed',
      error: { code: 'solana_transaction_failed', detail: 'Refused.' },
      completedAt: now.toISOString(),
    });
  });

  test('answers with the launch, its intent and its terms, and GET says the same', async () => {
    const launch = await launched({ ...texts, initialBuy: { amountRaw: '100000000', slippageBps: 100 } });
    expect(launch).toMatchObject({
      status: 'pending_launch_init',
      creatorWallet: key.walletAddress,
      poolAddress: null,
      name: texts.name,
      imageUrl: texts.imageUrl,
      links: {
        twitter: 'https://x.com/copperwire',
        telegram: 'https://t.me/copperwire',
        website: 'https://copperwire.example.com/',
      },
      metadataUrl: `http://api.test/token-metadata/${launch.mintAddress}`,
      config: 'standard',
      configAddress: stage.config,
      initialBuy: { amountRaw: '100000000', slippageBps: 100 },
      intentUrl: `http://api.test/api/v2/transaction-intents/${launch.intentId}`,
      transactionSignature: null,
      error: null,
      completedAt: null,
    });
    const { amountOutRaw, minimumOutRaw } = launch.initialBuy;
    expect(BigInt(minimumOutRaw)).toBe((BigInt(amountOutRaw) * 9_900n) / 10_000n);
    const { intent, sending, ...record } = launch;
    expect(sending).toMatchObject({ route: 'fast', priorityLevel: null, tipLamports: '0', tipService: null });
    expect(await get(`/launches/${launch.id}`)).toEqual(record);
    expect(await get(`/transaction-intents/${launch.intentId}`)).toEqual(intent);
  });

  test('a first buy closes the account of wrapped SOL that it opens, also at an address that only holds SOL', async () => {
    const initialBuy = { amountRaw: '100000000', slippageBps: 100 };
    const buyer = await stage.fundedWallet();
    const wrapped = await associatedAccount(buyer.publicKey.toBase58(), WRAPPED_SOL_MINT, SPL_TOKEN);
    await stage.rpc.airdrop(wrapped.address, SOL);
    await eventually('the address has SOL', () => stage.rpc.accountExists(wrapped.address));
    const { intent } = await launched({ ...texts, initialBuy }, { as: await keyOf(buyer) });
    const { message } = VersionedTransaction.deserialize(Buffer.from(intent.serializedTransaction, 'base64'));
    const last = message.compiledInstructions.at(-1);
    const [closed = -1] = last?.accountKeyIndexes ?? [];
    expect(message.staticAccountKeys[last?.programIdIndex ?? -1]?.toBase58()).toBe(SPL_TOKEN);
    expect(message.staticAccountKeys[closed]?.toBase58()).toBe(wrapped.address);
    expect([...(last?.data ?? [])]).toEqual([CLOSE_ACCOUNT]);
  });

  test('shows the whole intent with its version, so that the next request is the submission', async () => {
    const wallet = await stage.fundedWallet();
    const owner = await keyOf(wallet);
    const response = await post(texts, { as: owner });
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const { intent, intentId } = (await response.json()) as any;
    const signed = signBytes(Buffer.from(intent.serializedTransaction, 'base64'), wallet);
    const submission = { key: owner, signed, ifMatch: response.headers.get('etag') ?? '' };
    expect((await submitIntent(api.baseUrl, intentId, submission)).status).toBe(202);
  });

  test('the transaction carries the signature of the mint and waits for the wallet alone', async () => {
    const launch = await launched();
    const intent = await get(`/transaction-intents/${launch.intentId}`);
    expect(intent).toMatchObject({ kind: 'launch', status: 'prepared', expectedSigner: key.walletAddress });
    const bytes = Uint8Array.from(Buffer.from(intent.serializedTransaction, 'base64'));
    const view = readTransaction(bytes);
    if (view === null) throw new Error('not a transaction');
    const message = bytes.subarray(view.messageOffset, view.messageOffset + view.messageLength);
    const { signatures, message: parsed } = VersionedTransaction.deserialize(bytes);
    const signers = parsed.staticAccountKeys.slice(0, signatures.length).map((address) => address.toBase58());
    expect(signers).toEqual([key.walletAddress, launch.mintAddress]);
    const [ofWallet, ofMint] = signatures;
    expect(ofWallet?.every((byte) => byte === 0)).toBe(true);
    expect(verifyStrict(launch.mintAddress, message, ofMint ?? new Uint8Array(0))).toBe(true);
    expect(BigInt(intent.lastValidBlockHeight)).toBeGreaterThan(0n);
    expect(intent.policy.allowedPrograms).toHaveLength(5);
  });

  test('the token can be read at once, and until the wallet signs is listed only under its status', async () => {
    const { mintAddress } = await launched();
    const token = await get(`/tokens/${mintAddress}`, null);
    expect(token).toMatchObject({
      status: 'pending_launch_init',
      name: texts.name,
      decimals: 6,
      totalSupply: '1000000000',
      launchedAt: null,
    });
    const mintsOf = async (query: string) =>
      (await get(`/tokens?limit=100${query}`, null)).data.map((listed: typeof token) => listed.mintAddress);
    expect(await mintsOf('')).not.toContain(mintAddress);
    expect(await mintsOf('&launchType=dbc')).not.toContain(mintAddress);
    expect(await mintsOf('&status=pending_launch_init')).toContain(mintAddress);
  });

  test('the same key twice is one launch; two launches at once are two mints', async () => {
    const idempotencyKey = 'launch-the-same-0001';
    const first = await launched(texts, { idempotencyKey });
    const again = await post(texts, { idempotencyKey });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toEqual(first);
    const changed = await post({ ...texts, name: 'Other' }, { idempotencyKey });
    await expectProblem(changed, 'idempotency_key_reused');
    const [one, other] = await Promise.all([launched(), launched()]);
    expect(one.mintAddress).not.toBe(other.mintAddress);
  });

  test('the same key twice by another wallet of the account is another request; by another key of its wallet the same', async () => {
    const idempotencyKey = 'launch-the-same-0002';
    const first = await launched(texts, { idempotencyKey });
    const other = await keyOf(await stage.fundedWallet(), key.accountId);
    await expectProblem(await post(texts, { idempotencyKey, as: other }), 'idempotency_key_reused');
    const again = await post(texts, { idempotencyKey, as: await keyOf(wallet, key.accountId) });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toEqual(first);
  });

  test('of twenty that have not ended the next is refused, also when many come at once', async () => {
    const as = await uniqueKey();
    // 22 simulations at once, in the process of the chain, take longer than their limit where no core is free.
    node.repeated = 'simulateTransaction';
    const { openLaunchesPerAccount: limit } = unpublishedLimits;
    const responses = await Promise.all(Array.from({ length: limit + 2 }, () => post(texts, { as })));
    node.repeated = null;
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(2);
    for (const response of refused) {
      expect(await expectProblem(response, 'launch_limit_reached')).toMatchObject({ context: { limit } });
    }
    const sql = api.dependencies.database;
    const [row] = await sql`
      select count(*)::int as count from launches where account_id = ${as.accountId}`;
    expect(row?.count).toBe(limit);
    // Launches of one account do not count for another.
    await launched(texts, { as: await uniqueKey() });
  });
});

describe('texts of a creator (contract/launches#texts)', () => {
  test.each([
    ['/body/name', 'too_long', { name: 'ж'.repeat(17) }],
    ['/body/symbol', 'too_long', { symbol: 'ЖЖЖЖЖЖ' }],
    ['/body/symbol', 'too_short', { symbol: '' }],
    ['/body/name', 'invalid_value', { name: ' padded' }],
    ['/body/name', 'invalid_value', { name: 'turn\u202earound' }],
    ['/body/name', 'invalid_value', { name: 'broken\ud800' }],
    ['/body/name', 'invalid_value', { name: 'tagged\u{e0041}' }],
    ['/body/symbol', 'invalid_value', { symbol: 'SO\u200bL' }],
    ['/body/description', 'invalid_value', { description: 'nul\u0000' }],
    ['/body/description', 'invalid_value', { description: 'turn\u2067around' }],
    ['/body/imageUrl', 'invalid_format', { imageUrl: 'https://user:secret@cdn.dev/1.png' }],
    ['/body/imageUrl', 'invalid_format', { imageUrl: 'https://169.254.169.254/1.png' }],
    ['/body/imageUrl', 'invalid_format', { imageUrl: 'javascript:alert(1)' }],
    ['/body/imageUrl', 'invalid_format', { imageUrl: 'not a url' }],
    ['/body/links/website', 'invalid_format', { links: { website: 'http://127.0.0.1/' } }],
    ['/body/links/twitter', 'invalid_format', { links: { twitter: 'a b c' } }],
    ['/body/initialBuy/amountRaw', 'invalid_format', { initialBuy: { amountRaw: '0' } }],
    ['/body/initialBuy/slippageBps', 'out_of_range', { initialBuy: { amountRaw: '1', slippageBps: 10_001 } }],
    ['/body/mintAddress', 'unknown_field', { mintAddress: 'x' }],
  ])('%s is %s', async (path, code, change) => {
    const problem = await expectProblem(await post({ ...texts, ...change }), 'validation_failed');
    expect(problem.errors).toMatchObject([{ path, code }]);
  });

  test('the longest texts fit into a transaction that is signed and lands', async () => {
    const launch = await launched({
      name: '𝕎'.repeat(8),
      symbol: '0123456789',
      initialBuy: { amountRaw: '1000000' },
    });
    expect(Buffer.byteLength(launch.name)).toBe(32);
  });
});

describe('the metadata document (contract/launches#metadata)', () => {
  const documentOf = (mint: string, init: RequestInit = {}) =>
    fetch(`${api.origin}/token-metadata/${mint}`, init);

  test('repeats the texts of the creator, can be cached, and is never rendered as a page', async () => {
    const { mintAddress } = await launched();
    const response = await documentOf(mintAddress);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      name: texts.name,
      symbol: texts.symbol,
      description: texts.description,
      image: texts.imageUrl,
      external_url: 'https://copperwire.example.com/',
      extensions: {
        telegram: 'https://t.me/copperwire',
        twitter: 'https://x.com/copperwire',
        website: 'https://copperwire.example.com/',
      },
    });
    const etag = response.headers.get('etag') ?? '';
    const known = await documentOf(mintAddress, { headers: { 'if-none-match': etag } });
    expect(known.status).toBe(304);
  });

  test('is 404 while the token is hidden, whatever was read before', async () => {
    const { mintAddress } = await launched();
    expect((await documentOf(mintAddress)).status).toBe(200);
    const hide = (hidden: boolean) =>
      api.dependencies.database.begin((transaction) => setTokenHidden(transaction, mintAddress, hidden));
    await hide(true);
    await eventually('it is hidden', async () => (await documentOf(mintAddress)).status === 404);
    await hide(false);
    await eventually('it is shown', async () => (await documentOf(mintAddress)).status === 200);
  });

  test('is 404 for a mint that was not launched here, and 422 for no mint at all', async () => {
    expect((await documentOf(Keypair.generate().publicKey.toBase58())).status).toBe(404);
    expect((await documentOf('nonsense')).status).toBe(422);
  });
});

describe('a launch is not prepared for', () => {
  test('a wallet without SOL, and one with too little for its buy', async () => {
    const poor = await keyOf(Keypair.generate());
    const without = await expectProblem(await post(texts, { as: poor }), 'launch_refused');
    expect(without.context).toMatchObject({ reason: 'insufficient_funds', haveRaw: '0' });
    const keyWith = async (lamports: bigint) => {
      const wallet = await stage.fundedWallet(lamports);
      const isConfirmed = () => stage.rpc.accountExists(wallet.publicKey.toBase58(), 'confirmed');
      await eventually('its balance is confirmed', isConfirmed);
      return keyOf(wallet);
    };
    const short = await keyWith(SOL / 10n);
    const body = { ...texts, initialBuy: { amountRaw: String(SOL) } };
    const refused = await expectProblem(await post(body, { as: short }), 'launch_refused');
    expect(refused.context).toMatchObject({
      reason: 'insufficient_funds',
      programError: { number: 1, name: expect.any(String) },
      mintAddress: WRAPPED_SOL_MINT,
      haveRaw: String(SOL / 10n),
    });
    expect(refused.detail).toStartWith('The wallet has 0.1 SOL, and the launch needs at least 1.0');
    // The same amount and the small extra that the config may ask for.
    const need = BigInt(String(refused.context?.needRaw));
    const [almost, enough] = [await keyWith(need - 1n), await keyWith(need + 2_000_000n)];
    const still = await expectProblem(await post(body, { as: almost }), 'launch_refused');
    expect(still.context).toMatchObject({ haveRaw: String(need - 1n), needRaw: String(need) });
    expect((await post(body, { as: enough })).status).toBe(201);
  });

  test('a buy beyond the curve; its largest is taken', async () => {
    const body = { ...texts, initialBuy: { amountRaw: String(200n * SOL) } };
    const { context } = await expectProblem(await post(body), 'launch_buy_out_of_range');
    const rich = await keyOf(await stage.fundedWallet(100n * SOL));
    const maximum = { ...texts, initialBuy: { amountRaw: String(context?.maximumAmountRaw) } };
    expect((await launched(maximum, { as: rich })).initialBuy.amountRaw).toBe(context?.maximumAmountRaw);
    const above64Bits = { ...texts, initialBuy: { amountRaw: '99999999999999999999' } };
    await expectProblem(await post(above64Bits), 'launch_buy_out_of_range');
  });

  test('nodes that cannot simulate it', async () => {
    node.answer = (method) => (method === 'simulateTransaction' ? { code: -32_000, message: 'down' } : null);
    await expectProblem(await post(texts), 'chain_unavailable');
    node.answer = () => null;
  });

  test('the protected route, where no address for sending has the mark; nothing is stored', async () => {
    const launches = () => api.dependencies.database`select from launches`;
    const before = (await launches()).length;
    const refused = await expectProblem(
      await post({ ...texts, route: 'protected' }),
      'send_route_unavailable',
    );
    expect(refused.context).toEqual({ route: 'protected' });
    expect(await launches()).toHaveLength(before);
  });

  test('a config that is not offered, and one whose account is none; a named one is kept with the launch', async () => {
    const unknown = await expectProblem(await post({ ...texts, config: 'steep' }), 'launch_config_not_found');
    expect(unknown.context).toEqual({ config: 'steep' });
    await expectProblem(await post({ ...texts, config: 'gone' }), 'launches_unavailable');
    const malformed = await expectProblem(await post({ ...texts, config: 'a/b' }), 'validation_failed');
    expect(malformed.errors).toMatchObject([{ path: '/body/config', code: 'invalid_format' }]);
    const named = await launched({ ...texts, config: 'falling-fee', initialBuy: { amountRaw: '1000000' } });
    expect(named).toMatchObject({ config: 'falling-fee', configAddress: fallingFee });
    expect(await get(`/launches/${named.id}`)).toMatchObject({ config: 'falling-fee' });
  });

  test('a deployment without a config, and one whose config is another account', async () => {
    const without = await startTestApi({ database: api.database });
    const refused = await post(texts, { on: without });
    // Time alone configures nothing.
    expect(refused.headers.get('retry-after')).toBe('3600');
    await expectProblem(refused, 'launches_unavailable');
    const wrong = await startTestApi({
      database: api.database,
      environment: { SOLANA_RPC_URL: stage.chain.rpcUrl, LAUNCH_CURVE_CONFIG: key.walletAddress },
    });
    await expectProblem(await post(texts, { on: wrong }), 'launches_unavailable');
    const offline = await startTestApi({
      database: api.database,
      environment: { LAUNCH_CURVE_CONFIG: stage.config },
    });
    await expectProblem(await post(texts, { on: offline }), 'chain_unavailable');
  });
});
