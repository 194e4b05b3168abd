import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createSolanaRpc, address as kitAddress } from '@solana/kit';
import {
  Connection,
  PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_EPOCH_SCHEDULE_PUBKEY,
  SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SYSVAR_SLOT_HASHES_PUBKEY,
  SYSVAR_SLOT_HISTORY_PUBKEY,
  SYSVAR_STAKE_HISTORY_PUBKEY,
} from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';

let chain: SandboxChain;
let connection: Connection;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  connection = new Connection(chain.rpcUrl, 'processed');
  chain.advanceSlots(3);
});
afterAll(async () => {
  await chain.stop();
});

async function sysvar(address: PublicKey): Promise<{ type: string; info: unknown }> {
  const data = (await connection.getParsedAccountInfo(address)).value?.data;
  if (data === undefined || !('parsed' in data)) throw new Error(`${address} is not parsed`);
  expect(data.program).toBe('sysvar');
  return data.parsed;
}

test('sysvars are shown as a node shows them', async () => {
  const slot = Number(chain.ledger.slot);
  expect(await sysvar(SYSVAR_CLOCK_PUBKEY)).toEqual({
    type: 'clock',
    info: {
      slot,
      epoch: 0,
      epochStartTimestamp: expect.any(Number),
      leaderScheduleEpoch: 1,
      unixTimestamp: Math.floor(chain.ledger.clock.unixMsOf(chain.ledger.slot) / 1000),
    },
  });
  expect(await sysvar(SYSVAR_RENT_PUBKEY)).toEqual({ type: 'rent', info: { lamportsPerByte: '6960' } });
  expect(await sysvar(SYSVAR_EPOCH_SCHEDULE_PUBKEY)).toEqual({
    type: 'epochSchedule',
    info: {
      slotsPerEpoch: 432_000,
      leaderScheduleSlotOffset: 432_000,
      warmup: expect.any(Boolean),
      firstNormalEpoch: expect.any(Number),
      firstNormalSlot: expect.any(Number),
    },
  });
  const hashes = await sysvar(SYSVAR_SLOT_HASHES_PUBKEY);
  expect(hashes.type).toBe('slotHashes');
  expect((hashes.info as unknown[])[0]).toEqual({
    slot: slot - 1,
    hash: chain.ledger.ring.hashOf(BigInt(slot - 1)),
  });
  expect(await sysvar(SYSVAR_RECENT_BLOCKHASHES_PUBKEY)).toEqual({
    type: 'recentBlockhashes',
    info: [{ blockhash: expect.any(String), feeCalculator: { lamportsPerSignature: expect.any(String) } }],
  });
  expect(await sysvar(SYSVAR_STAKE_HISTORY_PUBKEY)).toEqual({ type: 'stakeHistory', info: [] });
  const history = await sysvar(SYSVAR_SLOT_HISTORY_PUBKEY);
  expect(history.type).toBe('slotHistory');
  expect(history.info).toEqual({ bits: expect.stringMatching(/^1[01]*$/), nextSlot: expect.any(Number) });
  expect((history.info as { bits: string }).bits).toHaveLength(1_048_576);
  expect(await sysvar(new PublicKey('SysvarLastRestartS1ot1111111111111111111111'))).toEqual({
    type: 'lastRestartSlot',
    info: { lastRestartSlot: 0 },
  });
  expect(await sysvar(new PublicKey('SysvarEpochRewards1111111111111111111111111'))).toEqual({
    type: 'epochRewards',
    info: {
      distributionStartingBlockHeight: 0,
      numPartitions: 0,
      parentBlockhash: PublicKey.default.toBase58(),
      totalPoints: '0',
      totalRewards: '0',
      distributedRewards: '0',
      active: false,
    },
  });
});

test('kit reads parsed accounts; what no parser knows stays base64', async () => {
  const rpc = createSolanaRpc(chain.rpcUrl);
  const clock = await rpc
    .getAccountInfo(kitAddress(SYSVAR_CLOCK_PUBKEY.toBase58()), {
      encoding: 'jsonParsed',
      commitment: 'processed',
    })
    .send();
  const data = clock.value?.data;
  if (data === undefined || !('parsed' in data)) throw new Error('the clock is not parsed');
  expect(data.parsed).toMatchObject({ type: 'clock', info: { slot: chain.ledger.slot } });
  const plain = await rpc
    .getAccountInfo(kitAddress('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'), {
      encoding: 'jsonParsed',
      commitment: 'processed',
    })
    .send();
  expect(plain.value?.data).toEqual([expect.any(String), 'base64'] as never);
});
