import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { createClient, type Launchwire, secretKeySigner, type TransactionSigner } from 'launchwire';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { advanceLaunches } from '../../src/features/launches/advance-launches.ts';
import { listLaunchToken, settleLaunchToken } from '../../src/features/tokens/settle-launch.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { runCommandLine } from '../support/client/command-line.ts';
import { sampleImage } from '../support/images/sample-image.ts';
import { type LaunchStage, startLaunchStage } from '../support/launches/launch-stage.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

let stage: LaunchStage;
let api: TestApi;
let client: Launchwire;
let signer: TransactionSigner;
let key: TestKey;
const keyFile = join(createTempDir('launch-wallet'), 'wallet.json');
const requests: string[] = [];

beforeAll(async () => {
  stage = await startLaunchStage();
  api = await startTestApi({
    environment: {
      SOLANA_RPC_URL: stage.chain.rpcUrl,
      LAUNCH_CURVE_CONFIG: stage.config,
      IMAGE_FOLDER: createTempDir('images'),
    },
  });
  await eventually('the head of the chain', async () => api.dependencies.chainHead.current());
  const wallet: Keypair = await stage.fundedWallet();
  writeFileSync(keyFile, JSON.stringify([...wallet.secretKey]));
  signer = await secretKeySigner(wallet);
  key = await createTestKey(api.dependencies.database, { walletAddress: signer.address });
  client = createClient({
    baseUrl: api.origin,
    apiKey: key.text,
    fetch: ((input: string, init: RequestInit) => {
      requests.push(`${init.method} ${new URL(input).pathname.split('/').at(-1)}`);
      return fetch(input, init);
    }) as typeof fetch,
  });
  startWorker();
});

/** Broadcasts, confirms and looks for pools for as long as the tests run. */
function startWorker(): void {
  const rpcs = [createChainRpc(stage.chain.rpcUrl)];
  const { context } = intentContext(api.dependencies.database, rpcs, systemClock);
  context.onStatusChanged = (intentIds) => api.dependencies.pipeline.waits.wake(intentIds);
  const { chainHead } = api.dependencies;
  const launches = { ...context, rpcs, chainHead, listLaunchToken, settleLaunchToken, onTokensChanged() {} };
  let isEnding = false;
  const working = (async () => {
    while (!isEnding) {
      await (await broadcastDue(context, 64)).sent;
      await confirmSubmitted(context);
      await advanceLaunches(launches, { afterId: null });
      // biome-ignore lint/plugin: the pace of a worker in the background; nothing is asserted of it
      await Bun.sleep(50);
    }
  })();
  atEnd(() => {
    isEnding = true;
    return working;
  });
}

const texts = { name: 'Copper Wire', symbol: 'COPPER' };
const launches = async () =>
  (await api.dependencies.database`select from launches where creator_wallet = ${signer.address}`).count;

test('a launch takes two requests, and lands with its mint', async () => {
  const steps: string[] = [];
  const { launch, intent } = await client.launch(texts, signer, { onStep: (step) => void steps.push(step) });
  expect(requests).toEqual(['POST launches', 'POST submissions']);
  expect(steps).toEqual(['prepared', 'submitted', 'confirmed']);
  expect(intent).toMatchObject({ id: launch.intentId, kind: 'launch', status: 'confirmed' });
  expect(await stage.rpc.accountExists(launch.mintAddress)).toBe(true);
});

test('a launch under a key of its own happens once, however often and at the same time it is called', async () => {
  const before = await launches();
  const launching = () => client.launch(texts, signer, { idempotencyKey: 'launch of today' });
  const together = await Promise.all([launching(), launching(), launching()]);
  const again = await launching();
  const mints = new Set([...together, again].map(({ launch }) => launch.mintAddress));
  expect([mints.size, (await launches()) - before]).toEqual([1, 1]);
});

test('the command line lists configs with their terms, and launches of the account', async () => {
  const configs = await runCommandLine(['launch-configs'], { url: api.origin });
  expect({ code: configs.code, err: configs.err }).toEqual({ code: 0, err: '' });
  expect(configs.out).toMatch(
    /^standard +27\.958993476 +410\.841876359 +85 +1 +40 +damm_v2 at 1 % +spl_token/m,
  );
  const settings = { url: api.origin, apiKey: key.text };
  const { out } = await runCommandLine(['launches', '--status', 'failed', '--json'], settings);
  expect(JSON.parse(out)).toEqual([]);
  const launch = await client.createLaunch({ name: 'Listed', symbol: 'LISTED' });
  const listed = await runCommandLine(['launches', '--limit', '1'], settings);
  expect(listed.out).toContain(`LISTED  Listed  pending_launch_init  standard  ${launch.mintAddress}`);
});

test('an image is uploaded from bytes or a file, which say its type, and the launch shows its address', async () => {
  const gif = new Uint8Array(await sampleImage('gif', 30, 20));
  const image = await client.uploadImage(gif);
  expect(image).toMatchObject({ contentType: 'image/png', width: 30, height: 20 });
  expect(await client.uploadImage(new Blob([gif]))).toEqual(image);
  for (const format of ['png', 'jpeg', 'webp'] as const)
    expect(await client.uploadImage(new Uint8Array(await sampleImage(format)))).toMatchObject({
      contentType: `image/${format}`,
    });
  const refusal = client.uploadImage(new Blob(['<svg/>']));
  expect(refusal).rejects.toMatchObject({ code: 'image_invalid' });
  await refusal.catch(() => undefined);
  const { launch } = await client.launch({ name: 'Copper', symbol: 'CU', imageUrl: image.imageUrl }, signer);
  expect(launch.imageUrl).toBe(image.url);
});

const cli = (...words: string[]) => runCommandLine(words, { url: api.origin, apiKey: key.text });
const launchWords = (...more: string[]) => [
  'launch',
  '--name',
  'Tin Foil',
  '--symbol',
  'FOIL',
  '--key-file',
  keyFile,
  ...more,
];

test('the command launches a token that can be traded, and the same line launches it once', async () => {
  const before = await launches();
  const words = launchWords(
    '--image',
    'https://images.example.com/foil.png',
    '--twitter',
    '@foil',
    '--description',
    'Shines.',
    '--config',
    'standard',
    '--buy',
    '0.1',
    '--slippage',
    '300',
    '--idempotency-key',
    'launch of foil',
    '--json',
  );
  const { code, out, err } = await cli(...words);
  expect({ code, err }).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^prepared: .*\nsubmitted: .*\nconfirmed: /),
  });
  const shown = JSON.parse(out);
  expect(shown).toMatchObject({
    status: 'bonding',
    poolAddress: expect.any(String),
    metadataUrl: `http://api.test/token-metadata/${shown.mintAddress}`,
    spotPriceInSol: expect.stringMatching(/^0\.\d+$/),
    boughtRaw: expect.stringMatching(/^\d+$/),
  });
  expect(await client.getToken({ mint: shown.mintAddress })).toMatchObject({
    creatorWallet: signer.address,
    imageUrl: 'https://images.example.com/foil.png',
    links: { twitter: 'https://x.com/foil' },
  });
  const launch = await client.getLaunch({ launchId: shown.launchId });
  expect(launch.initialBuy).toMatchObject({ amountRaw: '100000000', slippageBps: 300 });
  expect(JSON.parse((await cli(...words)).out)).toMatchObject({ mintAddress: shown.mintAddress });
  expect((await launches()) - before).toBe(1);

  // The same wallet gives the pool away.
  const heir = Keypair.generate().publicKey.toBase58();
  const given = await cli('transfer-creator', shown.mintAddress, '--to', heir, '--key-file', keyFile);
  expect(given).toMatchObject({ code: 0 });
  expect(given.out).toMatch(new RegExp(`^creatorWallet +${heir}$`, 'm'));
  expect(given.out).toMatch(/^claimableLamports +\d+ \([\d.]+ SOL\)$/m);
  const again = await cli('transfer-creator', shown.mintAddress, '--to', heir, '--key-file', keyFile);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('creator_transfer_refused') });
});

test('a picture from the folder is uploaded, and the token shows it; a dry run only quotes', async () => {
  const picture = join(createTempDir('picture'), 'token.png');
  writeFileSync(picture, await sampleImage('png'));
  const quoted = await cli(
    ...launchWords('--image', picture, '--config', 'standard', '--buy', '0.1', '--dry-run', '--json'),
  );
  expect(quoted).toMatchObject({ code: 0, err: '' });
  const before = await launches();
  const { code, out, err } = await cli(...launchWords('--image', picture, '--buy', '0.1', '--json'));
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('image: http://api.test/') });
  const { mintAddress: mint, boughtRaw } = JSON.parse(out);
  expect((await launches()) - before).toBe(1);
  expect(JSON.parse(quoted.out)).toMatchObject({ amountOutRaw: boughtRaw });
  const { imageUrl } = await client.getToken({ mint });
  const { pathname } = new URL(imageUrl ?? '');
  const served = await fetch(`${api.origin}${pathname}`);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('a wrong line is refused before anything is sent', async () => {
  for (const words of [
    ['--buy', '0'],
    ['--buy', 'much'],
    ['--slippage', '50'],
    ['--image', 'no-such-file.png'],
    ['--dry-run'],
    ['--slippage', '20000', '--buy', '1'],
  ])
    expect(await cli(...launchWords(...words))).toMatchObject({
      code: 2,
      err: expect.stringContaining(words[0] ?? ''),
    });
  expect((await cli('launch', '--name', 'x')).code).toBe(2);
});
