import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readState } from '../../sandbox/state.ts';
import { eventually } from '../support/eventually.ts';
import { createSandboxDir, runBun, startSandbox } from '../support/sandbox-process.ts';

test('the example bot signs, submits, sees its confirmation on chain and as a webhook, and finds a fresh intent after it', async () => {
  const dir = createSandboxDir();
  const { state } = await startSandbox(dir);
  const stateFile = join(dir, 'state.json');
  const environment = { LAUNCHWIRE_STATE: stateFile };

  const first = await runBun(['examples/bot.ts'], environment);
  expect(first).toMatchObject({ code: 0 });
  for (const step of ['fetched', 'signed', 'submitted', 'confirmed', 'webhook']) {
    expect(first.output).toMatch(new RegExp(`^${step} +\\d+ ms`, 'm'));
  }
  const event = JSON.parse(first.output.slice(first.output.indexOf('{')));
  expect(event).toMatchObject({
    specversion: '1.0',
    type: 'build.service.transaction_intent.confirmed.v1',
    subject: state.intentId,
    data: { id: state.intentId, status: 'confirmed' },
  });
  expect(event.data.transactionSignature).toBeString();

  await eventually('a fresh intent', async () => readState(stateFile)?.intentId !== state.intentId, 5_000);
  expect(await runBun(['examples/bot.ts'], environment)).toMatchObject({ code: 0 });
}, 60_000);
