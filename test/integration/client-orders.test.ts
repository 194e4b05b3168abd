import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type Launchwire, secretKeySigner, type TransactionSigner } from 'launchwire';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { advanceOrderSlots } from '../../src/features/orders/slots/advance-slots.ts';
import { broadcastDue } from '../../src/features/transaction-intents/broadcast/broadcast-due.ts';
import { confirmSubmitted } from '../../src/features/transaction-intents/confirmation/confirm-submitted.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { runCommandLine } from '../support/client/command-line.ts';
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
const keyFile = join(createTempDir('order-wallet'), 'wallet.json');

beforeAll(async () => {
  stage = await startLaunchStage();
  api = await startTestApi({ environment: { SOLANA_RPC_URL: stage.chain.rpcUrl } });
  await eventually('the head of the chain', async () => api.dependencies.chainHead.current());
  const wallet = await stage.fundedWallet();
  writeFileSync(keyFile, JSON.stringify([...wallet.secretKey]));
  signer = await secretKeySigner(wallet);
  key = await createTestKey(api.dependencies.database, { walletAddress: signer.address });
  client = createClient({ baseUrl: api.origin, apiKey: key.text });
  startWorker();
});

/** Broadcasts, confirms and looks at slots for as long as the tests run. */
function startWorker(): void {
  const rpcs = [createChainRpc(stage.chain.rpcUrl)];
  const { database, pipeline, chainHead } = api.dependencies;
  const { context } = intentContext(database, rpcs, systemClock);
  context.onStatusChanged = (ids) => pipeline.waits.wake(ids);
  let isEnding = false;
  const working = (async () => {
    while (!isEnding) {
      await (await broadcastDue(context, 64)).sent;
      await confirmSubmitted(context);
      await advanceOrderSlots({ metrics: { onOrdersEnded() {} }, ...context, rpcs, chainHead });
      // biome-ignore lint/plugin: the pace of a worker in the background; nothing is asserted of it
      await Bun.sleep(50);
    }
  })();
  atEnd(() => {
    isEnding = true;
    return working;
  });
}

const cli = (...words: string[]) => runCommandLine(words, { url: api.origin, apiKey: key.text });

test('a slot is opened and closed, each with one call, and a call under its key happens once', async () => {
  const steps: string[] = [];
  const opening = () =>
    client.openSlot({}, signer, {
      idempotencyKey: 'slot of today',
      onStep: (step) => void steps.push(step),
    });
  const slot = await opening();
  expect(slot).toMatchObject({ status: 'ready', walletAddress: signer.address, nonce: expect.any(String) });
  expect(steps).toEqual(['prepared', 'submitted', 'confirmed']);
  expect(await opening()).toMatchObject({ id: slot.id });
  const closed = await client.closeSlot({ slotId: slot.id }, signer);
  expect(closed).toMatchObject({ id: slot.id, status: 'closed' });
  const { data } = await client.listOrderSlots();
  expect(data).toEqual([closed]);
});

test('the command line creates, lists, shows and closes slots', async () => {
  const created = await cli('order-slot', 'create', '--key-file', keyFile, '--json');
  expect(created).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^prepared: intent \S+\nsubmitted: /),
  });
  const { id, nonceAddress } = JSON.parse(created.out);
  const shown = await cli('order-slot', 'show', id, '--json');
  expect(JSON.parse(shown.out)).toMatchObject({ id, nonceAddress, status: 'ready' });
  const listed = await cli('order-slot', 'list', '--limit', '1');
  expect(listed.out).toMatch(/^ID +STATUS +NONCE ADDRESS +WALLET ADDRESS +CREATED AT\n/);
  expect(listed.out).toContain(`${id}  ready   ${nonceAddress}`);
  const taken = await cli('order-slot', 'create', '--nonce-account', nonceAddress);
  expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('order_slot_exists') });
  const closed = await cli('order-slot', 'close', id, '--key-file', keyFile);
  expect(closed).toMatchObject({ code: 0 });
  expect(closed.out).toMatch(/^status +closed$/m);
  const gone = await cli('order-slot', 'create', '--nonce-account', nonceAddress);
  expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('nonce_account_unusable') });
  const both = await cli('order-slot', 'create', '--nonce-account', nonceAddress, '--key-file', keyFile);
  expect(both).toMatchObject({ code: 2, err: expect.stringContaining('--nonce-account signs nothing') });
  expect(await cli('order-slot', 'create')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--key-file'),
  });
});
