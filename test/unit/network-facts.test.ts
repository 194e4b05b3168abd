import { expect, test } from 'bun:test';
import { boundedPace } from '../../src/chain/pace/chain-pace.ts';
import { protocolBounds } from '../../src/chain/pace/protocol.ts';
import { createNetworkFacts } from '../../src/features/manifest/network-facts.ts';
import { NetworkSchema } from '../../src/features/manifest/schema.ts';
import { recordFields } from '../support/contract-coverage/fields.ts';
import { createTestClock } from '../support/run/clock.ts';

function network() {
  const clock = createTestClock();
  const state = { isMeasured: false, slotsPerSecond: 6, rentPerByte: null as bigint | null, rentReads: 0 };
  const read = createNetworkFacts({
    chainHead: {
      pace: () =>
        boundedPace(
          { slotsPerSecond: state.slotsPerSecond, blocksPerSecond: state.slotsPerSecond - 0.123 },
          protocolBounds,
          state.isMeasured,
        ),
    },
    readRent: async () => {
      state.rentReads += 1;
      const { rentPerByte } = state;
      return rentPerByte === null ? null : (bytes) => (128n + BigInt(bytes)) * rentPerByte;
    },
    clock,
  });
  const facts = async () => {
    const network = await read();
    recordFields({ name: 'getSolanaManifest.network', schema: NetworkSchema }, () => network);
    return network;
  };
  return { clock, state, facts };
}

test('nothing is invented: what was not measured, and a rent that no node returns, are null, and asked for again', async () => {
  const { state, facts } = network();
  const unknown = { slotMs: null, blocksPerSecond: null, rentLamportsPerByte: null, blockhashBlocks: 150 };
  expect(await facts()).toMatchObject(unknown);
  state.isMeasured = true;
  state.rentPerByte = 5_080n;
  expect(await facts()).toMatchObject({ slotMs: 167, blocksPerSecond: 5.88, rentLamportsPerByte: '5080' });
});

test('known facts are read once a minute, and their time is that of the reading', async () => {
  const { clock, state, facts } = network();
  Object.assign(state, { isMeasured: true, rentPerByte: 6_960n });
  const first = await facts();
  expect(first.asOf).toBe(clock.now().toISOString());
  Object.assign(state, { slotsPerSecond: 5, rentPerByte: 5_080n });
  clock.advance(59_999);
  expect(await facts()).toEqual(first);
  clock.advance(1);
  expect(await facts()).toMatchObject({
    slotMs: 200,
    blocksPerSecond: 4.88,
    rentLamportsPerByte: '5080',
    asOf: clock.now().toISOString(),
  });
  expect(state.rentReads).toBe(2);
});
