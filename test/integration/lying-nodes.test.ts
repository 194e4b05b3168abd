import { expect, test } from 'bun:test';
import { type NodeBehaviour, WINDOW_BLOCKS } from '../support/chain/model-chain.ts';
import { NodeTrustStage } from '../support/intents/node-trust-stage.ts';

const stage = await NodeTrustStage.create();

test.each<NodeBehaviour['sends']>(['empty', 'null', 'missing', 'text'])(
  'a send whose response has no signature (%s) is an unknown outcome: the transaction lands and is confirmed',
  async (sends) => {
    const rpcs = await stage.begin(2);
    stage.setBehaviour(0, { sends });
    stage.setBehaviour(1, { sends });
    const { id, signature, lastValid } = await stage.insert('submitted');
    stage.chain.add(signature, lastValid, { landsAfterBlocks: 3, fails: false });
    await stage.turn(rpcs);
    expect(await stage.endOf(id)).toEqual({ status: 'submitted', errorCode: null });
    expect((await stage.db`select send_count from intent_broadcasts`)[0]).toEqual({ sendCount: 1 });
    expect(rpcs.map(({ quarantine }) => quarantine.isActive)).toEqual([false, false]);
    stage.advance(5);
    await stage.turn(rpcs);
    expect(await stage.endOf(id)).toEqual({ status: 'confirmed', errorCode: null });
  },
);

test('a node that reports another signature is quarantined, decides nothing, and is released when it responds correctly', async () => {
  const rpcs = await stage.begin(2);
  const [liar, other] = rpcs;
  if (liar === undefined || other === undefined) throw new Error('no nodes');
  stage.setBehaviour(0, { sends: 'another', statuses: 'failed' });
  const { id, signature, lastValid } = await stage.insert('submitted');
  stage.chain.add(signature, lastValid, { landsAfterBlocks: 3, fails: false });
  await stage.turn(rpcs);
  expect([liar.quarantine.isActive, other.quarantine.isActive]).toEqual([true, false]);
  expect(await stage.endOf(id)).toEqual({ status: 'submitted', errorCode: null });
  stage.advance(5);
  await stage.turn(rpcs);
  expect(await stage.endOf(id)).toEqual({ status: 'confirmed', errorCode: null });

  // Still lying after the first period: it stays. Mended, it is released by its first right answer after the next.
  const probe = async () => {
    const next = await stage.insert('submitted');
    stage.chain.add(next.signature, next.lastValid, { landsAfterBlocks: 1, fails: false });
    await stage.turn(rpcs);
  };
  stage.clock.advance(30_000);
  await probe();
  stage.setBehaviour(0, {});
  stage.clock.advance(30_000);
  await probe();
  expect(liar.quarantine.isActive).toBe(true);
  stage.clock.advance(30_000);
  await probe();
  expect(liar.quarantine.isActive).toBe(false);
});

test('solana_signature_mismatch ends an intent only when the others prove that it expired', async () => {
  const rpcs = await stage.begin(3);
  stage.setBehaviour(0, { sends: 'another', drops: true });
  stage.setBehaviour(1, { sends: 'refuses', drops: true });
  stage.setBehaviour(2, { sends: 'refuses', drops: true });
  const { id, signature, lastValid } = await stage.insert('submitted');
  stage.chain.add(signature, lastValid, { landsAfterBlocks: null, fails: false });
  await stage.turn(rpcs);
  stage.advance(WINDOW_BLOCKS);
  await stage.turn(rpcs);
  expect(await stage.endOf(id)).toEqual({ status: 'submitted', errorCode: null });
  stage.advance(1);
  await stage.turn(rpcs);
  expect(await stage.endOf(id)).toEqual({ status: 'failed', errorCode: 'solana_signature_mismatch' });
});

test('during a quarantine the only other node does not decide alone before ten minutes have passed', async () => {
  const rpcs = await stage.begin(2);
  stage.setBehaviour(0, { sends: 'another', drops: true });
  stage.setBehaviour(1, { sends: 'refuses', drops: true });
  const { id, signature, lastValid } = await stage.insert('submitted');
  stage.chain.add(signature, lastValid, { landsAfterBlocks: null, fails: false });
  await stage.turn(rpcs);
  stage.advance(1_499);
  await stage.turn(rpcs);
  expect(rpcs.map(({ quarantine }) => quarantine.isActive)).toEqual([true, false]);
  expect(await stage.endOf(id)).toEqual({ status: 'submitted', errorCode: null });
  stage.advance(1);
  await stage.turn(rpcs);
  expect(await stage.endOf(id)).toEqual({ status: 'failed', errorCode: 'solana_signature_mismatch' });
});

test.each([10_000n, 10n ** 12n, 2n ** 63n, 2n ** 80n])(
  'a node that reports a height %p too high expires no prepared or submitted intent, from its first response on',
  async (heightLie) => {
    const rpcs = await stage.begin(2);
    stage.setBehaviour(0, { heightLie, statuses: 'none' });
    const prepared = await stage.insert('prepared');
    const { id, signature, lastValid } = await stage.insert('submitted');
    stage.chain.add(signature, lastValid, { landsAfterBlocks: 100, fails: false });
    for (let turns = 0; turns < 4; turns += 1) {
      await stage.turn(rpcs);
      expect((await stage.endOf(prepared.id)).status).toBe('prepared');
      expect((await stage.endOf(id)).status).toBe('submitted');
      stage.advance(20);
    }
    stage.advance(WINDOW_BLOCKS);
    await stage.turn(rpcs);
    expect((await stage.endOf(prepared.id)).status).toBe('expired');
    expect((await stage.endOf(id)).status).toBe('confirmed');
  },
);

test('the only node, believed from its first response on, cannot expire an intent that its height does not fit', async () => {
  const rpcs = await stage.begin(1);
  stage.setBehaviour(0, { heightLie: 1_000_000n, statuses: 'none' });
  const prepared = await stage.insert('prepared');
  const submitted = await stage.insert('submitted');
  await stage.turn(rpcs);
  expect((await stage.endOf(prepared.id)).status).toBe('prepared');
  expect((await stage.endOf(submitted.id)).status).toBe('submitted');
});

test('the worker waits for a second node that is gone for ten minutes, and no longer', async () => {
  const rpcs = await stage.begin(2);
  const { id, signature, lastValid } = await stage.insert('submitted');
  stage.chain.add(signature, lastValid, { landsAfterBlocks: null, fails: false });
  await stage.turn(rpcs);
  stage.setBehaviour(1, { reach: 'down' });
  stage.advance(WINDOW_BLOCKS + 10);
  await stage.turn(rpcs);
  expect((await stage.endOf(id)).status).toBe('submitted');
  stage.advance(1_490);
  await stage.turn(rpcs);
  expect((await stage.endOf(id)).status).toBe('submitted');
  stage.advance(10);
  await stage.turn(rpcs);
  expect(await stage.endOf(id)).toEqual({ status: 'failed', errorCode: 'solana_blockhash_expired' });
});
