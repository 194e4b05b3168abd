import { beforeAll, expect, test } from 'bun:test';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { readState, type SandboxState } from '../../sandbox/shared/state-file.ts';
import { contractDefinitions as operations } from '../../src/api/routes.ts';
import { connectDatabase } from '../../src/db/client.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { SMALL_PNG } from '../support/api/sample-requests.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { removeEndpoints, useSandbox } from '../support/sandbox/shared-sandbox.ts';
import { openEventStream } from '../support/streams/event-stream.ts';

/** The tests share one community and wait in parallel. */

let state: SandboxState;
let stateFile: string;
const called = new Set<string>();

beforeAll(async () => {
  ({ state, stateFile } = await useSandbox());
});

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every operation; their schemas are tested elsewhere
  body: any;
}

interface Parts {
  query?: string;
  body?: object;
  ifMatch?: string;
  /** A PNG as the body. */
  file?: Uint8Array<ArrayBuffer>;
  /** Asks past caches, after another operation has told of a change. */
  isFresh?: boolean;
}

/** Calls an operation as the user of the sandbox. `query` holds all parameters that are not in the path. */
async function call(
  id: string,
  path: Record<string, string> = {},
  { query = '', body, ifMatch, file, isFresh = false }: Parts = {},
): Promise<Answer> {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  const filled = operation.path.replace(/:(\w+)/g, (_, name: string) => path[name] ?? `no-${name}`);
  const response = await fetch(`${state.baseUrl}${filled}${query}`, {
    method: operation.method,
    headers: {
      Authorization: `Bearer ${state.apiKey}`,
      ...(operation.method === 'GET' ? {} : { 'Idempotency-Key': crypto.randomUUID() }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(file === undefined ? {} : { 'Content-Type': 'image/png' }),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
      ...(isFresh ? { 'Cache-Control': 'no-cache' } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(file === undefined ? {} : { body: file }),
  });
  if (response.ok) called.add(id);
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** Waits until the operation succeeds with the expected content, and returns the body. */
function lives(
  what: string,
  ask: () => Promise<Answer>,
  has: (body: Answer['body']) => boolean = () => true,
) {
  let last = 'none';
  return eventually(what, async () => {
    const { status, body } = await ask();
    last = `${status} ${status < 300 ? '' : JSON.stringify(body)}`;
    return status < 300 && has(body) && { body };
  }).then(
    ({ body }) => body,
    (cause: unknown) => {
      throw new Error(`${what}: the last answer was ${last}`, { cause });
    },
  );
}

const hasData = ({ data }: Answer['body']) => data.length > 0;

test.concurrent('the stream lives: trades, bars and changes of the account come as they happen', async () => {
  const topics = ['trades', `candles:${state.mint}:1m`, `stats:${state.mint}`, 'events', 'deliveries'].join(
    ',',
  );
  const stream = await openEventStream(`${state.baseUrl}/stream?topics=${topics}`, {
    Authorization: `Bearer ${state.apiKey}`,
  });
  if (stream.response.ok) called.add('openStream');
  await stream.find(({ event, snapshot }) => event === 'trade' && snapshot === undefined);
  await stream.find(({ event }) => event === 'candle');
  await stream.find(({ event, data }) => event === 'stats' && data.windows['24h'].tradeCount > 0);
  stream.close();
});

test.concurrent('keys can be listed and revoked', async () => {
  const database = connectDatabase(state.databaseUrl, { applicationName: 'test', connections: 1 });
  atEnd(() => database.end({ timeout: 1 }));
  const spare = await createTestKey(database, { accountId: state.accountId, scopes: [] });
  const { data } = (await call('listApiKeys')).body;
  expect(data.map(({ id }: { id: string }) => id)).toContain(spare.keyId);
  const revoked = await call('revokeApiKey', { keyId: spare.keyId });
  expect(revoked).toMatchObject({ status: 200, body: { id: spare.keyId, revokedAt: expect.any(String) } });
});

test.concurrent('identity, manifest, tokens and market data live', async () => {
  const mint = { mint: state.mint ?? '' };
  const now = Date.now();
  const [from, to] = [now - 600_000, now + 60_000].map((ms) => new Date(ms).toISOString());
  const candles = { query: `?interval=1m&from=${from}&to=${to}` };
  await Promise.all([
    lives(
      'identity',
      () => call('getApiIdentity'),
      ({ walletAddress }) => walletAddress === state.wallet.address,
    ),
    lives('manifest', () => call('getSolanaManifest')),
    lives('tokens', () => call('listTokens'), hasData),
    lives(
      'token',
      () => call('getToken', mint),
      ({ currentPriceInSol }) => currentPriceInSol !== null,
    ),
    lives(
      'market',
      () => call('getTokenMarketSnapshot', mint),
      ({ priceInSol }) => priceInSol !== null,
    ),
    lives('trades', () => call('listTokenTrades', mint), hasData),
    lives(
      'statistics',
      () => call('getTokenStats', mint),
      ({ windows, graduationProgress }) => windows['24h'].buyerCount > 0 && graduationProgress !== null,
    ),
    lives(
      'statistics of tokens',
      () => call('listTokenStats', {}, { query: `?mints=${mint.mint}` }),
      hasData,
    ),
    lives(
      'overview',
      () => call('getMarketOverview'),
      ({ windows, tokens }) => windows['24h'].traderCount > 0 && tokens.total > 0,
    ),
    lives('quote', () => call('getSwapQuote', mint, { query: '?side=buy&amountRaw=1000000' })),
    lives('basket', () =>
      call('listQuotes', {}, { query: `?mints=${state.mint}&side=buy&amountRaw=1000000` }),
    ),
    lives('instructions', () =>
      call('getSwapInstructions', mint, { body: { side: 'buy', amountRaw: '1000000' } }),
    ),
    lives('priority fees', () => call('getPriorityFees', {}, { query: `?mint=${mint.mint}` })),
    lives('platform fee account', () => call('getPlatformFeeAccount')),
    lives('swap', () => call('createSwap', mint, { body: { side: 'buy', amountRaw: '1000000' } })),
    lives('candles', () => call('listTokenCandles', mint, candles), hasData),
    lives(
      'holders',
      () => call('getTokenHolderStats', mint),
      ({ holderCount }) => holderCount > 1,
    ),
    lives('supply', () => call('getTokenSupplyComposition', mint)),
    lives('holdings', () => call('listWalletHoldings', { address: state.wallet.address }), hasData),
    lives('trades of a wallet', () => call('listWalletTrades', { address: state.wallet.address }), hasData),
    lives('positions', () => call('listWalletPositions', { address: state.wallet.address }), hasData),
    lives('claimable fees', () => call('listClaimableFees', { address: state.wallet.address })),
    lives('top holders', () => call('listTokenTopHolders', mint), hasData),
    lives('top traders', () => call('listTokenTopTraders', mint), hasData),
  ]);
});

test.concurrent('launches live: one is prepared on a config of the market, as quoted, and waits for its wallet', async () => {
  const { data } = await lives(
    'configs',
    () => call('listLaunchConfigs'),
    (body) => hasData(body) && body.data.every(({ status }: { status: string }) => status === 'available'),
  );
  const name = data.at(-1).name as string;
  const quote = await lives('quote', () =>
    call('getLaunchConfigQuote', { name }, { query: '?amountRaw=1000000' }),
  );
  const initialBuy = { amountRaw: '1000000' };
  const { imageUrl } = await lives('image', () =>
    call('createImage', {}, { file: new Uint8Array(SMALL_PNG) }),
  );
  const body = { name: 'Lively Wire', symbol: 'LIVELY', imageUrl, config: name, initialBuy };
  const { id } = await lives(
    'launch',
    () => call('createLaunch', {}, { body }),
    (launch) => launch.initialBuy.amountOutRaw === quote.amountOutRaw,
  );
  await lives('launches', () => call('listLaunches'), hasData);
  await lives('claims of fees', () => call('createFeeClaims', {}, { body: {} }));
  await lives(
    'its record',
    () => call('getLaunch', { launchId: id }),
    ({ status }) => status === 'pending_launch_init',
  );
});

test.concurrent('changes of a creator live: one is prepared for the token of the user, and waits for its wallet', async () => {
  const body = { newCreatorWallet: Keypair.generate().publicKey.toBase58() };
  const { intent } = await lives('change', async () => {
    // Its curve may complete meanwhile.
    const query = `?creatorWallet=${state.wallet.address}&status=bonding`;
    const listed = await call('listTokens', {}, { query });
    if (listed.status !== 200) return listed;
    return call('createCreatorTransfer', { mint: listed.body.data[0].mintAddress }, { body });
  });
  expect(intent).toMatchObject({ kind: 'creator_transfer', status: 'prepared' });
});

/** An order that no trade triggers is created and signed. Returns its id. */
async function orderLives(slotId: string, wallet: Keypair): Promise<string> {
  const order = {
    slotId,
    mint: state.mint,
    side: 'buy',
    amountRaw: '1000000',
    trigger: { price: '0.000000000000000001', when: 'at_or_below' },
    limitRaw: '1',
  };
  const { id: orderId, transactions } = await lives('order', () => call('createOrder', {}, { body: order }));
  const [{ id, serializedTransaction }] = transactions;
  const transaction = VersionedTransaction.deserialize(Buffer.from(serializedTransaction, 'base64'));
  transaction.sign([wallet]);
  const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
  await lives('its signature', () =>
    call('signOrder', { orderId }, { body: { transactions: [{ id, signedTransaction }] } }),
  );
  await lives('orders', () => call('listOrders'), hasData);
  await lives(
    'the open order',
    () => call('getOrder', { orderId }),
    ({ status }) => status === 'open',
  );
  return orderId;
}

test.concurrent('order slots and orders live: one is created by the wallet, ready, and closed', async () => {
  const wallet = Keypair.fromSecretKey(bs58.decode(state.wallet.secretKey));
  const land = async ({ id, serializedTransaction }: { id: string; serializedTransaction: string }) => {
    const transaction = VersionedTransaction.deserialize(Buffer.from(serializedTransaction, 'base64'));
    transaction.sign([wallet]);
    const body = { signedTransaction: Buffer.from(transaction.serialize()).toString('base64') };
    await lives('its submission', () =>
      call('submitTransactionIntent', { intentId: id }, { body, ifMatch: '"1"' }),
    );
  };
  const { id: slotId, intent } = await lives('slot', () => call('createOrderSlot', {}, { body: {} }));
  await land(intent);
  const reaches = (status: string) =>
    lives(
      `slot that is ${status}`,
      () => call('getOrderSlot', { slotId }),
      (slot) => slot.status === status,
    );
  await reaches('ready');
  const orderId = await orderLives(slotId, wallet);
  await lives('stop of the order', () => call('cancelOrder', { orderId }));
  const closure = await lives('closing', () => call('closeOrderSlot', { slotId }, { body: {} }));
  await land(closure.intent);
  await reaches('closed');
  await lives(
    'list of slots',
    () => call('listOrderSlots'),
    ({ data }) => data.some(({ id }: { id: string }) => id === slotId),
  );
});

test.concurrent('staking lives: the positions add up to the pool, and one is the user’s', async () => {
  const mint = { mint: state.mint ?? '' };
  await lives('positions', () => call('listOwnedStakingPositions', mint), hasData);
  await lives('pool and leaderboard', async () => {
    const [pool, board] = [await call('getStakingPool', mint), await call('listStakingLeaderboard', mint)];
    if (pool.status !== 200 || board.status !== 200) return { status: 404, body: null };
    const stakes: { stakedRaw: string }[] = board.body.data;
    const sum = stakes.reduce((total, { stakedRaw }) => total + BigInt(stakedRaw), 0n);
    const isWhole = stakes.length === pool.body.stakerCount && String(sum) === pool.body.totalStakedRaw;
    return { status: isWhole ? 200 : 404, body: null };
  });
});

test.concurrent('fees live: they accrue, are paid on chain, and leave the user something to claim', async () => {
  const mint = { mint: state.mint ?? '' };
  const { data } = await lives('payments', () => call('listTokenFeeDistributions', mint), hasData);
  // The last payment may be older than the 150 slots that a node answers for without its history.
  const params = [[data[0].transactionSignature], { searchTransactionHistory: true }];
  const response = await fetch(state.rpcUrl, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSignatureStatuses', params }),
  });
  const { result } = (await response.json()) as { result: { value: unknown[] } };
  expect(result.value[0]).toMatchObject({ slot: Number(data[0].slot), err: null });
  await lives(
    'something to claim',
    () => call('getTokenFeeState', mint),
    (fees) =>
      BigInt(fees.claimableLamports) > 0n && BigInt(fees.accruedLamports) > BigInt(fees.distributedLamports),
  );
});

test.concurrent('presales live: one is settled with the user in it, one that missed its minimum has paid everybody back', async () => {
  const ended = (status: string) => async () => {
    const { status: answered, body } = await call('listPresales');
    if (answered !== 200) return { status: answered, body };
    return { status: 200, body: body.data.find((presale: { status: string }) => presale.status === status) };
  };
  const found = (body: unknown) => body !== undefined;
  const [settled, failed] = await Promise.all([
    lives('a settled presale', ended('settled'), found),
    lives('a failed presale', ended('failed'), found),
  ]);
  const presale = await call('getPresale', { id: settled.id }, { isFresh: true });
  expect(presale.body).toMatchObject({ status: 'settled' });
  const participation = await call('getPresaleParticipation', { id: settled.id }, { isFresh: true });
  expect(participation).toMatchObject({ status: 200, body: { status: 'settled' } });
  expect(BigInt(participation.body.allocationRaw)).toBeGreaterThan(0n);
  const refunded = await call('getPresaleParticipation', { id: failed.id }, { isFresh: true });
  expect(refunded).toMatchObject({ status: 200, body: { status: 'refunded' } });
});

test.concurrent('predictions live: the user can predict, others do too, and winners are paid', async () => {
  const mint = { mint: state.mint ?? '' };
  const prediction = await lives('a prediction of the user', async () => {
    const notYet = { status: 404, body: null };
    const { data } = (await call('listPredictionRounds', mint)).body;
    const open = data?.find((round: { status: string }) => round.status === 'open');
    if (open === undefined) return notYet;
    const round = { ...mint, roundId: open.id };
    const eligibility = await call('getPredictionEligibility', round);
    if (eligibility.body?.eligible !== true) return notYet;
    const { priceInSol } = (await call('getTokenMarketSnapshot', mint)).body;
    const body = { roundId: open.id, walletAddress: state.wallet.address, predictedPriceInSol: priceInSol };
    return call('createPrediction', {}, { body });
  });
  const round = { ...mint, roundId: prediction.roundId };
  const { data } = await lives('standings', () => call('listPredictionStandings', round), hasData);
  expect(data.length).toBeGreaterThan(1);
  expect(BigInt(data[0].payoutLamports)).toBeGreaterThan(0n);
  expect(await call('getPredictionRound', round, { isFresh: true })).toMatchObject({
    status: 200,
    body: { status: 'settled' },
  });
  const entries = await call('listRoundPredictions', round, { isFresh: true });
  expect(entries).toMatchObject({
    status: 200,
    body: { visibility: 'exact', participantCount: data.length },
  });
  const own = await call('getOwnedPrediction', { predictionId: prediction.id });
  expect(own).toMatchObject({ status: 200, body: { status: 'settled' } });
  const listed = await call('listOwnedPredictions', {}, { query: `?roundId=${prediction.roundId}` });
  expect(listed.body.data).toContainEqual(own.body);
});

test.concurrent('an operation of the user has a result that can be fetched', async () => {
  const { operationId } = state;
  if (operationId === null) throw new Error('the sandbox has no operation');
  const done = ({ status }: Answer['body']) => status === 'succeeded';
  const { resultUrl } = await lives('the export', () => call('getOperation', { operationId }), done);
  const lines = (await (await fetch(resultUrl)).text()).trim().split('\n');
  expect(lines.length).toBeGreaterThan(1);

  const order = { body: { top: 1, format: 'ndjson' } };
  const started = await call('createAudienceExport', { mint: state.mint ?? '' }, order);
  expect(started.status).toBe(202);
  const again = { operationId: started.body.id };
  const ended = await lives('the second export', () => call('getOperation', again), done);
  const [line = ''] = (await (await fetch(ended.resultUrl)).text()).split('\n');
  expect(Object.keys(JSON.parse(line))).toEqual(['walletAddress', 'balanceRaw', 'slot']);
  const { body: quote } = await call(
    'getSwapQuote',
    { mint: state.mint ?? '' },
    {
      query: '?side=buy&amountRaw=1000000',
    },
  );
  // It waits for the slot, and so is there to be cancelled.
  const later = { body: { minSlot: String(BigInt(quote.slot) + 120n) } };
  const waiting = await call('createAudienceExport', { mint: state.mint ?? '' }, later);
  const cancelled = await call('cancelOperation', { operationId: waiting.body.id });
  expect(cancelled.status).toBe(202);
  await lives(
    'the cancellation',
    () => call('getOperation', { operationId: waiting.body.id }),
    ({ status }) => status === 'cancelled',
  );
  const query = '?kind=audience_export&status=succeeded';
  const { data } = (await call('listOperations', {}, { query })).body;
  expect(data.map(({ id }: { id: string }) => id)).toContain(started.body.id);
});

test.concurrent('the prepared intent can be read, signed and submitted', async () => {
  // The sandbox replaces a used intent within a second.
  const current = () => readState(stateFile)?.intentId ?? 'none';
  const intent = await lives(
    'the prepared intent',
    () => call('getTransactionIntent', { intentId: current() }),
    ({ status }) => status === 'prepared',
  );
  const path = { intentId: intent.id };
  const transaction = VersionedTransaction.deserialize(Buffer.from(intent.serializedTransaction, 'base64'));
  transaction.sign([Keypair.fromSecretKey(bs58.decode(state.wallet.secretKey))]);
  const body = { signedTransaction: Buffer.from(transaction.serialize()).toString('base64') };
  const submitted = await call('submitTransactionIntent', path, { body, ifMatch: `"${intent.version}"` });
  expect(submitted).toMatchObject({ status: 202, body: { status: 'submitted' } });
  const { data: listed } = (await call('listTransactionIntents')).body;
  expect(listed.map(({ id }: { id: string }) => id)).toContain(intent.id);
  const { addresses } = await lives(
    'the record of its sends',
    () => call('getTransactionIntentSends', { intentId: intent.id }),
    (sends) => sends.addresses.length > 0,
  );
  expect(addresses[0]).toMatchObject({ heldOut: false, sendCount: expect.any(Number) });
  const range = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() };
  const report = await call('getLandingReport', {}, { query: `?${new URLSearchParams(range)}` });
  expect(report.body.total.sent).toBeGreaterThan(0);
});

test.concurrent('webhooks live: the inbox has deliveries that can be replayed, and endpoints can be managed', async () => {
  const { data: endpoints } = await lives('endpoints', () => call('listWebhookEndpoints'), hasData);
  const ofInbox = endpoints.find(({ url }: { url: string }) => url === `${state.inboxUrl}/webhooks`);
  const delivered = { endpointId: ofInbox.id };
  const { data: deliveries } = await lives(
    'finished deliveries',
    () => call('listWebhookDeliveries', delivered),
    ({ data }) => data.some((one: { status: string }) => one.status === 'succeeded'),
  );
  const delivery = deliveries.find((one: { status: string }) => one.status === 'succeeded');
  const replay = await call('replayWebhookDelivery', { deliveryId: delivery.id });
  expect(replay.status).toBe(202);
  expect(replay.body.id).toBe((await call('getWebhookDelivery', { deliveryId: delivery.id })).body.id);
  const attempts = await call('listWebhookAttempts', { deliveryId: delivery.id });
  expect(attempts.body.data.at(-1)).toMatchObject({ attemptNumber: 1, outcome: 'succeeded' });
  expect((await call('pingWebhookEndpoint', delivered)).status).toBe(202);
  const events = await call('listEvents', {}, { query: '?type=build.service.webhook.ping.v1' });
  expect(events.body.data.map((one: { subject: string }) => one.subject)).toContain(delivered.endpointId);
  const [event] = events.body.data;
  expect((await call('getEvent', { eventId: event.id })).body).toEqual(event);

  const since = new Date(Date.now() - 60_000).toISOString();
  const recovery = await call('recoverWebhookDeliveries', delivered, {
    body: { since, statuses: ['missed'] },
  });
  expect(recovery.body).toMatchObject({ kind: 'delivery_recovery' });

  const eventTypes = ['build.service.webhook.ping.v1'];
  const nowhere = { url: `${state.inboxUrl}/no-such-path`, eventTypes };
  const { body: failing } = await call('createWebhookEndpoint', {}, { body: nowhere });
  const { data: retrying } = await lives(
    'a retrying delivery',
    () => call('listWebhookDeliveries', { endpointId: failing.id }, { query: '?status=retrying' }),
    hasData,
  );
  expect((await call('retryWebhookDelivery', { deliveryId: retrying[0].id })).status).toBe(202);
  await removeEndpoints(state, ({ id }) => id === failing.id);

  const body = { url: `${state.inboxUrl}/webhooks`, eventTypes: ['build.service.launch.created.v1'] };
  const created = await call('createWebhookEndpoint', {}, { body });
  expect(created.status).toBe(201);
  const endpoint = { endpointId: created.body.id };
  const changes = [
    ['getWebhookEndpoint', undefined],
    ['updateWebhookEndpoint', { description: 'changed' }],
    ['rotateWebhookSecret', { previousSecretTtlSeconds: 60 }],
    ['deleteWebhookEndpoint', undefined],
  ] as const;
  for (const [id, change] of changes) {
    const { body: current } = await call('getWebhookEndpoint', endpoint);
    const ifMatch = operations.find((one) => one.id === id)?.versioned ? `"${current.version}"` : undefined;
    const { status } = await call(id, endpoint, {
      ...(change && { body: change }),
      ...(ifMatch && { ifMatch }),
    });
    expect(`${id} ${status < 300}`).toBe(`${id} true`);
  }
});

test('no operation of the contract was left out', () => {
  expect(operations.map(({ id }) => id).filter((id) => !called.has(id))).toEqual([]);
});
