import { beforeAll, expect, test } from 'bun:test';
import type { Keypair } from '@solana/web3.js';
import { createClient, type Launchwire, secretKeySigner, type TransactionSigner } from 'launchwire';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { broadcastDue } from '../../src/features/transaction-intents/broadcast/broadcast-due.ts';
import { confirmSubmitted } from '../../src/features/transaction-intents/confirmation/confirm-submitted.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
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
let apiKey: string;
let signer: TransactionSigner;
const requests: string[] = [];

beforeAll(async () => {
  stage = await startLaunchStage();
  api = await startTestApi({
    environment: {
      IMAGE_FOLDER: createTempDir('images'),
      SOLANA_RPC_URL: stage.chain.rpcUrl,
      LAUNCH_CURVE_CONFIG: stage.config,
    },
  });
  await eventually('the head of the chain', async () => api.dependencies.chainHead.current());
  const wallet: Keypair = await stage.fundedWallet();
  signer = await secretKeySigner(wallet);
  const key = await createTestKey(api.dependencies.database, { walletAddress: signer.address });
  apiKey = key.text;
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

/** Broadcasts and confirms for as long as the tests run. */
function startWorker(): void {
  const rpcs = [createChainRpc(stage.chain.rpcUrl)];
  const { context } = intentContext(api.dependencies.database, rpcs, systemClock);
  context.onStatusChanged = (intentIds) => api.dependencies.pipeline.waits.wake(intentIds);
  let isEnding = false;
  const working = (async () => {
    while (!isEnding) {
      await (await broadcastDue(context, 64)).sent;
      await confirmSubmitted(context);
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
  const settings = { url: api.origin, apiKey };
  const { out } = await runCommandLine(['launches', '--status', 'bonding', '--json'], settings);
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
