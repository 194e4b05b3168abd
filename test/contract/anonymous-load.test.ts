import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Keypair } from '@solana/web3.js';
import { createTokenBalanceSources } from '../../src/chain/holdings/wallet-balances.ts';
import { METADATA_PATH } from '../../src/features/launches/metadata-document.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { createReadGates } from '../../src/http/caches/read-gates.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { publicWaitOptions } from '../../src/http/waits/change-waits.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { ratePolicies } from '../../src/shared/rate-policies.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { fillGate, floodGate, occupyGate } from '../support/api/full-gate.ts';
import { expectProblem } from '../support/api/problems.ts';
import { sampleRequest } from '../support/api/sample-requests.ts';
import { stopAgeing } from '../support/api/stop-ageing.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { recordingDatabase } from '../support/database/query-plans.ts';
import { tokenMessage } from '../support/market/ingest-stream.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const MIB = 1024 * 1024;
const newAddress = () => Keypair.generate().publicKey.toBase58();
const holdings = (api: TestApi, wallet: string) => fetch(`${api.baseUrl}/wallets/${wallet}/holdings`);

const figure = (value: number) => value.toLocaleString('en-US');

describe('an anonymous read', () => {
  let operations: RouteDefinition[];
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi({
      adjustRoutes: (routes) => {
        operations = routes
          .map(({ definition: operation }) => operation)
          .filter(({ auth }) => auth === 'anonymous');
        return routes;
      },
    });
  });

  test('that would load passes a gate: no read loads once the gates are full', async () => {
    const gates = Object.values(api.dependencies.gates);
    const emptying = gates.map(fillGate);
    atEnd(async () => {
      for (const empty of emptying) await empty();
    });
    const loading = operations.filter(({ id, isStream }) => id !== 'getSolanaManifest' && isStream !== true);
    expect(loading.length).toBeGreaterThan(12);
    await Promise.all(
      loading.map(async (operation) => {
        const { path, init } = sampleRequest(operation);
        const code = operation.unavailable ?? 'api_dependency_unavailable';
        await expectProblem(await fetch(`${api.baseUrl}${path}`, init), code);
      }),
    );
    const metadata = await fetch(`${api.origin}${METADATA_PATH}/${newAddress()}`);
    await expectProblem(metadata, 'api_dependency_unavailable');
    for (const empty of emptying) await empty();
    const metrics = await api.metrics();
    expect(metrics).toMatch(/launchwire_loads_refused_total\{gate="heavyReads"\} [1-9]/);
  });

  test('is served with and without a key while another client keeps every gate full', async () => {
    const { header } = await createTestKey(api.dependencies.database);
    const asked = operations.filter(({ isStream }) => isStream !== true);
    const statuses = () =>
      Promise.all(
        asked.flatMap((operation) =>
          [{}, header].map(async (headers) => {
            const response = await fetch(api.baseUrl + sampleRequest(operation).path, { headers });
            await response.body?.cancel();
            return [operation.id, response.status];
          }),
        ),
      );
    const quiet = await statuses();
    const gates = Object.values(api.dependencies.gates);
    const emptying = gates.map((gate) => floodGate(gate, { name: '192.0.2.1', isKeyed: false }));
    expect(await statuses()).toEqual(quiet);
    for (const empty of emptying) await empty();
  });

  test('runs one statement at most', async () => {
    const database = await createTestDatabase();
    const { db, sent } = recordingDatabase(database.url);
    const recorded = await startTestApi({
      database,
      adjust: (dependencies) => Object.assign(dependencies, { publicDatabase: db }),
    });
    const paths = operations
      .filter(({ isStream }) => isStream !== true)
      .map((operation) => [operation.id, sampleRequest(operation).path] as const);
    const [mint] = paths.flatMap(([, path]) => /^\/tokens\/(\w+)\/market$/.exec(path)?.[1] ?? []);
    const { outbox, database: owner } = recorded.dependencies;
    const token = { ...tokenMessage(mint ?? ''), launchType: 'dbc' as const, status: 'bonding' as const };
    await owner.begin((sql) => upsertToken(sql, outbox, systemClock, token));
    await owner`update tokens set predictions_enabled = true`;
    // The first statement of a connection follows one that learns the types of the database.
    await db`select 1`;
    const counts: [string, number][] = [];
    for (const [id, path] of paths) {
      sent.length = 0;
      await (await fetch(recorded.baseUrl + path)).text();
      counts.push([id, sent.length]);
    }
    // The manifest is a constant; holdings, claims and launch configs are read from a node first, and there is none.
    const without = [
      'getSolanaManifest',
      'listWalletHoldings',
      'listClaimableFees',
      'listLaunchConfigs',
      'getLaunchConfigQuote',
    ];
    expect(counts).toEqual(paths.map(([id]) => [id, without.includes(id) ? 0 : 1]));
  });

  test('has its line in the table of what a request can cost', async () => {
    const page = await Bun.file(new URL('../../docs/security.md', import.meta.url)).text();
    const text = page.replaceAll(/\s+/g, ' ');
    for (const { id } of operations) expect(text).toContain(`| \`${id}\` |`);
    for (const [name, { options }] of Object.entries(createReadGates())) {
      const { runningMax, waitingMax, waitMaxMs } = options;
      expect(text).toContain(
        `| \`${name}\` | ${runningMax} | ${figure(waitingMax)} | ${waitMaxMs / 1_000} s |`,
      );
    }
    const { waitingMax: held, perCallerMax } = publicWaitOptions;
    expect(text).toContain(`holds at most ${figure(held)}, ${perCallerMax} of one address`);
    const { streamsPerAddress, streamsPerNetwork, streamsMax, streamsKeyReservePercent } = api.config;
    const anonymousMax = (streamsMax * (100 - streamsKeyReservePercent)) / 100;
    expect(text).toContain(
      `an address may open ${figure(ratePolicies['stream-open'].limit)} streams and subscribe to ${figure(ratePolicies['stream-subscribe'].limit)} topics a minute; ` +
        `${figure(streamsPerAddress)} streams of an address, ${figure(streamsPerNetwork)} of an IPv6 /48, ${figure(anonymousMax)} without a key, ${figure(streamsMax)} of a process`,
    );
  });

  test('of a page of trades joins the same one that is being loaded', async () => {
    const { reads } = api.dependencies.gates;
    const { furtherTrades } = api.dependencies.marketCaches;
    const ended = spyOn(reads, 'release');
    const empty = occupyGate(reads);
    const before = furtherTrades.reads;
    const path = `/tokens/${newAddress()}/trades?limit=7`;
    const answers = Array.from({ length: 50 }, () => fetch(api.baseUrl + path));
    await eventually('all requests', async () => furtherTrades.reads === before + 50);
    await empty();
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(404);
    expect(ended).toHaveBeenCalledTimes(reads.options.runningMax + 1);
  });
});

describe('a read of holdings', () => {
  let nodes: [WalletNode, WalletNode];
  let api: TestApi;

  beforeAll(async () => {
    nodes = [await startWalletNode('endless'), await startWalletNode('empty')];
    api = await startTestApi({ environment: { SOLANA_RPC_URL: nodes.map(({ url }) => url).join(',') } });
  });

  test('that is too long is abandoned, not read at another node, and not read again', async () => {
    const [first, second] = nodes;
    first.conduct = 'endless';
    const goOn = stopAgeing(api);
    // A node gets 3 s. A machine that stands still for so long asks the next one, and tries again.
    const { wallet, asked, askedSecond } = await eventually(
      'a response that is too long in time',
      async () => {
        const tried = { wallet: newAddress(), asked: first.requests, askedSecond: second.requests };
        const refused = await holdings(api, tried.wallet);
        return refused.headers.get('retry-after') === '3600' && tried;
      },
    );
    for (let round = 0; round < 5; round += 1) {
      const response = await holdings(api, wallet);
      expect(response.headers.get('retry-after')).toBe('3600');
      const { context } = await expectProblem(response, 'market_data_unavailable');
      expect(context).toEqual({ reason: 'too_many_accounts' });
    }
    await eventually('no open request', async () => first.open === 0);
    // One request for each token program.
    expect(first.requests).toBe(asked + 2);
    expect(second.requests).toBe(askedSecond);
    goOn();
  });

  test('that a node announces as too long is not read: the next node is asked', async () => {
    const [first, second] = nodes;
    first.conduct = 'declares-length';
    expect((await holdings(api, newAddress())).status).toBe(200);
    expect(second.requests).toBe(2);
    await eventually('no open request', async () => first.open === 0);
  });

  test('that the only node announces as too long is refused for long; a failed read is not', async () => {
    const node = await startWalletNode('declares-length');
    const alone = await startTestApi({ environment: { SOLANA_RPC_URL: node.url } });
    const announced = await holdings(alone, newAddress());
    expect(announced.headers.get('retry-after')).toBe('3600');
    await expectProblem(announced, 'market_data_unavailable');
    const failed = await holdings(await startTestApi(), newAddress());
    expect(failed.headers.get('retry-after')).toBe('1');
    expect((await expectProblem(failed, 'market_data_unavailable')).context).toBeUndefined();
  });

  test('counts both responses against the bytes that all nodes together may send', async () => {
    const [node] = nodes;
    node.conduct = 'endless';
    const [source] = createTokenBalanceSources([node.url]);
    const allowance = { bytesMax: 4 * MIB, bytesLeft: MIB, signal: new AbortController().signal };
    const { ok } = (await source?.read(newAddress(), 60_000, allowance)) ?? { ok: true };
    expect(ok).toBe(false);
    expect(allowance.bytesLeft).toBeLessThan(0);
    expect(allowance.bytesLeft).toBeGreaterThan(-2 * MIB);
    await eventually('no open request', async () => node.open === 0);
  });

  test('beyond six at once waits or is refused, for any wallets', async () => {
    const [node] = nodes;
    node.conduct = 'holding';
    let refused = 0;
    const answers = Array.from({ length: 100 }, async () => {
      const { status } = await holdings(api, newAddress());
      if (status === 503) refused += 1;
      return status;
    });
    await eventually('70 refusals', async () => refused >= 70);
    node.conduct = 'empty';
    node.release();
    const statuses = await Promise.all(answers);
    // On a stalled machine some of the first six have passed their deadline when the node answers.
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(node.openMax).toBeLessThanOrEqual(12);
  });

  test('ends at its deadline, and sends no more requests to a late node', async () => {
    const [{ url }] = nodes;
    nodes[0].conduct = 'holding';
    const [source] = createTokenBalanceSources([url]);
    const allowance = { bytesMax: MIB, bytesLeft: MIB, signal: new AbortController().signal };
    expect(await source?.read(newAddress(), 20, allowance)).toMatchObject({ ok: false });
    await eventually('no open request', async () => nodes[0].open === 0);
    const over = { bytesMax: MIB, bytesLeft: MIB, signal: AbortSignal.abort() };
    const asked = nodes[0].requests;
    expect(await source?.read(newAddress(), 60_000, over)).toMatchObject({ ok: false });
    expect(nodes[0].requests).toBe(asked);
  });
});

/** The response of the node to getTokenAccountsByOwner. */
type WalletNodeConduct =
  /** The response never ends. */
  | 'endless'
  /** The response declares a huge length and never ends. */
  | 'declares-length'
  /** The response comes only after `release` and has no accounts. */
  | 'holding'
  | 'empty';

interface WalletNode {
  readonly url: string;
  conduct: WalletNodeConduct;
  /** The number of requested lists. */
  readonly requests: number;
  /** The number of unfinished responses whose reader is still connected. */
  readonly open: number;
  /** The highest value of `open`. */
  readonly openMax: number;
  release(): void;
}

const EMPTY = '{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":[]},"id":1}';
const DATA = Buffer.alloc(72, 7).toString('base64');
const ACCOUNT = `{"pubkey":"So11111111111111111111111111111111111111112","account":{"lamports":2039280,"data":["${DATA}","base64"],"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","executable":false,"rentEpoch":18446744073709551615,"space":165}},`;
const CHUNK = ACCOUNT.repeat(100);

/** A faulty node for requests of a wallet's tokens. */
async function startWalletNode(conduct: WalletNodeConduct): Promise<WalletNode> {
  const state = { requests: 0, open: 0, openMax: 0 };
  let gate = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    // An api also polls the position of the chain.
    if (!body.includes('getTokenAccountsByOwner')) return void response.writeHead(503).end();
    state.requests += 1;
    state.open += 1;
    state.openMax = Math.max(state.openMax, state.open);
    response.on('close', () => {
      state.open -= 1;
    });
    await answer(response);
  });
  async function answer(response: ServerResponse): Promise<void> {
    if (node.conduct === 'holding') await gate.promise;
    if (node.conduct === 'holding' || node.conduct === 'empty') return void response.end(EMPTY);
    if (node.conduct === 'declares-length') response.setHeader('content-length', 1e12);
    response.write('{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":[');
    while (!response.destroyed) {
      await written(response, CHUNK);
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const node: WalletNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    conduct,
    get requests() {
      return state.requests;
    },
    get open() {
      return state.open;
    },
    get openMax() {
      return state.openMax;
    },
    release() {
      gate.resolve();
      gate = Promise.withResolvers();
    },
  };
  return node;
}

/** Resolves when the system has accepted the text, so that the node stays close to its reader. */
function written(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('close', done);
      // The reader shares this event loop.
      setImmediate(resolve);
    };
    response.once('close', done);
    response.write(text, done);
  });
}
