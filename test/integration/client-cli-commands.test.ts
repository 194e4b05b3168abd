import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { followLandings } from '../../src/intents/land/follow-landings.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { pacedSlots } from '../support/chain/paced-slots.ts';
import { runCommandLine, startCommandLine } from '../support/client/command-line.ts';
import { numberedTrade } from '../support/market/market-arbitraries.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';

const keyFile = join(createTempDir('cli-wallet'), 'wallet.json');
let market: TradedMarket;
let trader: Trader;
let mint: string;

beforeAll(async () => {
  market = await TradedMarket.start(() => ({
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  }));
  trader = await market.trader();
  writeFileSync(keyFile, JSON.stringify([...trader.wallet.secretKey]));
  ({ mint } = await market.launch());
});

const settings = () => ({ url: market.api.origin, apiKey: trader.key.text });
const cli = (...words: string[]) => runCommandLine(words, settings());
const anonymous = (...words: string[]) => runCommandLine(words, { url: market.api.origin });
async function printed(...words: string[]): Promise<string> {
  const { code, out, err } = await cli(...words);
  expect({ words, code, err }).toEqual({ words, code: 0, err: '' });
  return out;
}
const json = async (...words: string[]) => JSON.parse(await printed(...words, '--json'));

describe('tokens, trades and holdings', () => {
  test('are listed and shown, and a name of a stranger does not steer the terminal', async () => {
    const { database, tokenCaches } = market.api.dependencies;
    await database`update tokens set name = ${'\u001b[2JA\u202e name'}, symbol = 'SOL' where mint_address = ${mint}`;
    for (const cache of Object.values(tokenCaches)) cache.clear();
    const { code, out } = await anonymous('tokens', 'list', '--status', 'bonding');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^MINT ADDRESS +SYMBOL +NAME +STATUS +CURRENT PRICE IN SOL +MARKET CAP IN SOL +LAUNCHED AT\n/,
    );
    expect(out).toContain(`${mint}  SOL     \\u001b[2JA\\u202e name`);
    expect(out).not.toContain('\u001b');
    expect(await json('tokens', 'list', '--limit', '1')).toMatchObject([{ mintAddress: mint }]);
    expect((await anonymous('tokens', 'list', '--status', 'expired')).out).toBe('none\n');
    expect((await anonymous('tokens', 'show', mint)).out).toMatch(/^decimals +\d+$/m);
    expect(await json('tokens', 'show', mint)).toMatchObject({ mintAddress: mint, symbol: 'SOL' });
    expect(await cli('tokens', 'show', trader.key.walletAddress)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('launchwire: token_not_found'),
    });

    const stored = [1, 2, 3].map((number) => numberedTrade(mint, number));
    await database.begin((transaction) => storeTrades(transaction, stored));
    for (const cache of Object.values(market.api.dependencies.marketCaches)) cache.clear();
    const trades = (await anonymous('trades', mint)).out.trimEnd().split('\n');
    expect(trades[0]).toMatch(
      /^BLOCK TIME +TYPE +SOL AMOUNT +TOKEN AMOUNT +PRICE PER TOKEN IN SOL +TRADER WALLET/,
    );
    expect(trades).toHaveLength(4);
    expect(await json('trades', mint, '--limit', '2')).toMatchObject([
      { id: stored[2]?.id },
      { id: stored[1]?.id },
    ]);
    expect(await cli('trades', trader.key.walletAddress)).toMatchObject({ code: 1 });
    const wallet = stored[0]?.traderWallet ?? '';
    const [, second] = stored;
    if (second === undefined) throw new Error('a trade is missing');
    const { type, solAmount, blockTime } = second;
    const filters = ['--wallet', wallet, '--type', type, '--min-sol', solAmount];
    const time = ['--from', blockTime.toISOString(), '--to', new Date(blockTime.getTime() + 1).toISOString()];
    expect(await json('trades', mint, ...filters, ...time)).toMatchObject([{ id: second.id }]);
    expect(await json('trades', mint, '--wallet', trader.key.walletAddress)).toEqual([]);
    expect(await json('trades', mint, '--type', type === 'buy' ? 'sell' : 'buy', ...time)).toEqual([]);
    expect(await cli('trades', mint, '--min-sol', 'much')).toMatchObject({
      code: 1,
      err: expect.stringContaining('validation_failed'),
    });
    expect(await json('wallet', 'trades', wallet, '--limit', '2')).toMatchObject([
      { id: stored[2]?.id },
      { id: stored[1]?.id },
    ]);
    expect(await json('wallet', 'positions', wallet)).toMatchObject([{ mintAddress: mint, buyCount: 3 }]);
    expect(await json('top', 'traders', mint)).toEqual([]);
    expect(await cli('top', 'holders', mint)).toMatchObject({
      code: 1,
      err: expect.stringContaining('holder_stats_not_found'),
    });
  });

  test('readable amounts are shown beside the raw ones, and accepted with their unit', async () => {
    const quote = async (...more: string[]) => printed('quote', mint, ...more);
    const bought = await quote('--side', 'buy', '--amount', '0.05sol');
    expect(bought).toMatch(/^inputRaw +50000000 \(0\.05 SOL\)$/m);
    expect(bought).toMatch(/^outputRaw +\d+ \([\d.]+ tokens\)$/m);
    expect(bought).toMatch(/^fee +\d+ \([\d.]+ SOL\), rate 0\.\d+$/m);
    expect(await quote('--side', 'buy', '--amount', '50000000')).toMatch(
      /^inputRaw +50000000 \(0\.05 SOL\)$/m,
    );
    const wanted = ['--side', 'buy', '--mode', 'exact-out', '--amount', '12.5tokens'];
    expect(await quote(...wanted)).toMatch(/^outputRaw +12500000 \(12\.5 tokens\)$/m);
    const raw = await json('quote', mint, ...wanted);
    expect(raw).toMatchObject({ outputRaw: '12500000', mode: 'exact-out' });
    expect(raw.inputRaw).toMatch(/^\d+$/);
    const tooFine = await cli('quote', mint, '--side', 'sell', '--amount', '0.0000001tokens');
    expect(tooFine).toMatchObject({
      code: 2,
      err: expect.stringContaining('--amount has at most 6 decimals'),
    });
  });

  test('several tokens are quoted in one slot, and one without a quote does not fail the others', async () => {
    const unknown = trader.key.walletAddress;
    const words = ['quote', `${mint},${unknown}`, '--side', 'buy', '--amount', '0.05sol'];
    expect(await json(...words)).toMatchObject([
      { mintAddress: mint, quote: { inputRaw: '50000000' }, error: null },
      { mintAddress: unknown, quote: null, error: { code: 'token_not_found' } },
    ]);
    const [header, first, second] = (await printed(...words)).trimEnd().split('\n');
    expect(header).toMatch(/^MINT ADDRESS +INPUT RAW +OUTPUT RAW +SLOT +ERROR/);
    expect(first).toMatch(new RegExp(`^${mint} +50000000 +\\d+ +\\d+`));
    expect(second).toMatch(/token_not_found: /);
  });

  const swapWords = (...more: string[]) => [
    'swap',
    mint,
    '--side',
    'buy',
    '--amount',
    '0.05sol',
    '--slippage',
    '500',
    '--key-file',
    keyFile,
    ...more,
  ];

  /** Lands what the command submits until it ends; the id of its intent. */
  async function endOfSwap(swapping: ReturnType<typeof startCommandLine>): Promise<string> {
    let hasEnded = false;
    void swapping.ended.then(() => {
      hasEnded = true;
    });
    const { database, pipeline } = market.api.dependencies;
    const { context } = intentContext(database, [createChainRpc(market.chain.rpcUrl)], systemClock);
    context.onStatusChanged = (intentIds) => pipeline.waits.wake(intentIds);
    const passSlots = pacedSlots(market.chain);
    await eventually('the end of the swap', async () => {
      await (await broadcastDue(context, 64)).sent;
      passSlots();
      await confirmSubmitted(context);
      await followLandings(context);
      return hasEnded;
    });
    return /prepared: intent (\S+)/.exec(swapping.written.err)?.[1] ?? expect.unreachable();
  }

  test('a swap prints its quote, and the wallet holds the bought tokens', async () => {
    const swapping = startCommandLine(swapWords(), settings());
    await endOfSwap(swapping);
    expect(swapping.written.err).toMatch(
      /^prepared: intent \S+\nsubmitted: intent \S+\nconfirmed: intent \S+\n$/,
    );
    expect(await swapping.ended).toBe(0);
    expect(swapping.written.out).toMatch(/^quotedInputRaw +50000000 \(0\.05 SOL\)$/m);
    expect(swapping.written.out).toMatch(/^quotedOutputRaw +\d+ \([\d.]+ tokens\)$/m);
    expect(swapping.written.out).toMatch(/^paidRaw +50000000 \(0\.05 SOL\)$/m);
    const [, received = ''] = /^receivedRaw +(\d+) \([\d.]+ tokens\)$/m.exec(swapping.written.out) ?? [];
    expect(swapping.written.out).toMatch(/^priceInSol +0\.\d+$/m);
    expect(swapping.written.out).toMatch(/^quoteDifferenceBps +-?\d+$/m);
    expect(swapping.written.out).toMatch(/^feeLamports +5000 \(0\.000005 SOL\)$/m);
    expect(swapping.written.out).toMatch(/^tipLamports +0 \(0 SOL\)$/m);

    const [held = expect.unreachable()] = await json('holdings');
    expect(held).toMatchObject({ mintAddress: mint, decimals: 6, amountRaw: received });
    const shown = await printed('holdings');
    expect(shown).toMatch(/^MINT ADDRESS +SYMBOL +NAME +AMOUNT +AMOUNT RAW +VALUE IN SOL\n/);
    expect(shown).toContain(` ${Number(held.amountRaw) / 1e6}  ${held.amountRaw} `);
    expect((await anonymous('holdings', trader.key.walletAddress)).out).toBe(shown);
    expect(await anonymous('holdings')).toMatchObject({
      code: 1,
      err: expect.stringContaining('invalid_api_key'),
    });
    expect(await cli('holdings', 'nobody')).toMatchObject({
      code: 1,
      err: expect.stringContaining('validation_failed'),
    });
  });

  test('a share of the wallet’s tokens is quoted for a wallet, and sold', async () => {
    const wallet = trader.key.walletAddress;
    const share = ['--side', 'sell', '--bps', '5000'];
    const quoted = await json('quote', mint, ...share, '--wallet', wallet);
    expect(BigInt(quoted.inputRaw)).toBe(BigInt(quoted.walletBalanceRaw) / 2n);
    expect(await printed('quote', mint, ...share, '--wallet', wallet)).toMatch(
      /^walletBalanceRaw +\d+ \([\d.]+ tokens\)$/m,
    );
    const selling = startCommandLine(
      ['swap', mint, ...share, '--slippage', '500', '--key-file', keyFile],
      settings(),
    );
    await endOfSwap(selling);
    expect(await selling.ended).toBe(0);
    expect(selling.written.out).toMatch(new RegExp(`^quotedInputRaw +${quoted.inputRaw} `, 'm'));
  });

  test('the account of platform fees is shown, also where none is registered', async () => {
    const shown = await cli('fee-account');
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.out).toMatch(/^maxPlatformFeeBps +\d+$/m);
    expect(JSON.parse((await cli('fee-account', '--json')).out)).toMatchObject({
      address: null,
      updatedAt: null,
    });
  });

  test('a swap says how it is sent, and prices of priority are shown', async () => {
    const shown = await cli('priority-fees', mint);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.out).toMatch(/^veryHigh +\d+$/m);
    expect(shown.out).toMatch(/^sampleSize +\d+$/m);
    const swapping = startCommandLine(
      swapWords('--priority', 'medium', '--max-priority', '5000', '--tip', '0', '--route', 'fast'),
      settings(),
    );
    const intentId = await endOfSwap(swapping);
    expect(await swapping.ended).toBe(0);
    const [stored] = await market.api.dependencies.database`
      select send_route, priority_level from transaction_intents where id = ${intentId}`;
    expect(stored).toEqual({ sendRoute: 'fast', priorityLevel: 'medium' });
    expect(await cli(...swapWords('--route', 'protected'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('send_route_unavailable'),
    });
    for (const words of [
      ['--priority', 'extreme'],
      ['--priority', '-1'],
      ['--max-priority', '1.5'],
      ['--tip', '0.001sol'],
      ['--route', 'private'],
    ])
      expect(await cli(...swapWords(...words))).toMatchObject({
        code: 2,
        err: expect.stringContaining(words[0] ?? ''),
      });
  });

  test('a swap under a key is the same one when its line is repeated', async () => {
    const named = swapWords('--idempotency-key', 'order of today');
    const id = await endOfSwap(startCommandLine(named, settings()));
    const repeated = await cli(...named);
    expect(repeated).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`^intentId +${id}$`, 'm')),
    });
    const other = await endOfSwap(
      startCommandLine(swapWords('--idempotency-key', 'order of tomorrow'), settings()),
    );
    expect(other).not.toBe(id);
    expect(await cli(...swapWords('--idempotency-key', 'short'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('--idempotency-key has 8 to 128 characters'),
    });
  });
});

describe('endpoints', () => {
  test('are created, listed, pinged, changed, given a new secret and deleted', async () => {
    const receiver = await startReceiver();
    const url = `${receiver.origin}/hook`;
    const words = ['endpoints', 'create', url, '--description', 'my bot', '--subjects', mint];
    const created = await cli(...words, '--events', 'launch.*, transaction_intent.confirmed');
    expect(created).toMatchObject({ code: 0, err: 'Keep the secret: it is shown this once.\n' });
    expect(created.out).toMatch(/^eventTypes +launch\.\*, transaction_intent\.confirmed$/m);
    expect(created.out).toMatch(/^warnings +\/eventTypes\/1 is never sent: its subject is an intent id/m);
    expect(created.out).toMatch(/^secret +whsec_\S+$/m);
    const [, id = ''] = /^id +(\S+)$/m.exec(created.out) ?? [];
    expect(await json('endpoints', 'show', id)).toMatchObject({
      url,
      description: 'my bot',
      subjects: [mint],
      eventTypes: ['build.service.launch.*', 'build.service.transaction_intent.confirmed.v1'],
    });
    expect(await printed('endpoints', 'list')).toContain(
      `${id}  ${url}  launch.*, transaction_intent.confirmed  enabled`,
    );
    expect(await json('endpoints', 'ping', id)).toMatchObject({ endpointId: id });

    const newUrl = `${receiver.origin}/other`;
    const change = ['--new-url', newUrl, '--events', 'token.*', '--subjects', '', '--description', ''];
    expect(await json('endpoints', 'update', id, ...change)).toMatchObject({
      url: newUrl,
      description: null,
      subjects: null,
      eventTypes: ['build.service.token.*'],
      status: 'enabled',
    });
    const disabled = await printed('endpoints', 'update', id, '--status', 'disabled');
    expect(disabled).toMatch(/^status +disabled$/m);
    expect(disabled).toMatch(/^eventTypes +token\.\*$/m);
    expect(await json('endpoints', 'update', id, '--status', 'enabled', '--subjects', mint)).toMatchObject({
      status: 'enabled',
      disabledReason: null,
      subjects: [mint],
      url: newUrl,
    });

    const { out, err } = await cli('endpoints', 'rotate', id, '--overlap', '0', '--json');
    expect(err).toBe('Keep the secret: it is shown this once.\n');
    const rotated = JSON.parse(out);
    expect(rotated.endpointId).toBe(id);
    expect(rotated.secret).toStartWith('whsec_');
    expect(created.out).not.toContain(rotated.secret);
    const shown = await printed('endpoints', 'show', id);
    expect(shown).toMatch(/^eventTypes +token\.\*$/m);
    expect(shown).not.toContain('whsec_');

    expect(await json('endpoints', 'delete', id)).toEqual({ id, deleted: true });
    expect(await printed('endpoints', 'list')).toBe('none\n');
    const missing = ['show', 'ping', 'rotate', 'delete'].map((verb) => [verb]);
    for (const [verb = '', ...options] of [...missing, ['update', '--status', 'enabled']])
      expect(await cli('endpoints', verb, id, ...options)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('launchwire: webhook_endpoint_not_found'),
      });
  });

  test('receive all events unless some are named, and a refusal is one line', async () => {
    const receiver = await startReceiver();
    const { code, out, err } = await cli('endpoints', 'create', `${receiver.origin}/hook`, '--json');
    expect({ code, err }).toEqual({ code: 0, err: 'Keep the secret: it is shown this once.\n' });
    expect(JSON.parse(out)).toMatchObject({ eventTypes: ['*'], subjects: null });
    const refused = await cli('endpoints', 'create', 'nowhere');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/^launchwire: \w+: .+\n$/);
    const keyless = await anonymous('endpoints', 'list');
    expect(keyless).toMatchObject({ code: 1, err: expect.stringContaining('Set LAUNCHWIRE_API_KEY.') });
    expect(await runCommandLine(['endpoints', 'list'], { url: 'http://127.0.0.1:9' })).toMatchObject({
      code: 3,
    });
  });
});

test('listen begins with the next event, not with earlier ones', async () => {
  const { database } = market.api.dependencies;
  const receiver = await startReceiver();
  const made = (subject: string) =>
    insertEvent(database, {
      accountId: null,
      type: 'build.service.launch.created.v1',
      body: bodyOf(subject),
    });
  const bodyOf = (subject: string) =>
    JSON.stringify({
      specversion: '1.0',
      id: crypto.randomUUID(),
      source: market.api.origin,
      type: 'build.service.launch.created.v1',
      subject,
      time: new Date().toISOString(),
      data: {},
    });
  for (const subject of ['early-1', 'early-2']) await made(subject);
  const listening = startCommandLine(['listen', '--forward', `${receiver.origin}/hook`], settings());
  await eventually('the connection', async () => listening.written.err.includes('waiting for events'));
  await made('late');
  await receiver.received(1);
  await eventually('its line', async () => listening.written.out.includes('late'));
  listening.stopping.abort();
  expect(await listening.ended).toBe(0);
  expect(listening.written.out).toMatch(/^\d\d:\d\d:\d\d +launch\.created +late +\d+ +\d+ ms\n$/);
});
