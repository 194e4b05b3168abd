import { expect, test } from 'bun:test';
import { EpochSchedule } from '@solana/web3.js';
import fc from 'fast-check';
import { readNextEpochSlot } from '../../src/chain/accounts/sysvars.ts';

const OWNER = 'Sysvar1111111111111111111111111111111111111';

/** The account of a schedule as Agave writes it. */
function accountOf(slotsPerEpoch: number, hasShortEpochs: boolean) {
  const firstNormalEpoch = hasShortEpochs ? Math.ceil(Math.log2(slotsPerEpoch)) - 5 : 0;
  const firstNormalSlot = hasShortEpochs ? 32 * (2 ** firstNormalEpoch - 1) : 0;
  const data = Buffer.alloc(33);
  data.writeBigUInt64LE(BigInt(slotsPerEpoch), 0);
  data.writeBigUInt64LE(BigInt(slotsPerEpoch), 8);
  data.writeUInt8(Number(hasShortEpochs), 16);
  data.writeBigUInt64LE(BigInt(firstNormalEpoch), 17);
  data.writeBigUInt64LE(BigInt(firstNormalSlot), 25);
  const schedule = new EpochSchedule(
    slotsPerEpoch,
    slotsPerEpoch,
    hasShortEpochs,
    firstNormalEpoch,
    firstNormalSlot,
  );
  return { account: { owner: OWNER, data: Uint8Array.from(data) }, schedule };
}

test('the next epoch begins where web3.js says, with and without short epochs at the beginning', () => {
  const lengths = fc.constantFrom(32, 64, 8_192, 432_000);
  fc.assert(
    fc.property(lengths, fc.boolean(), fc.nat({ max: 2_000_000_000 }), (length, hasShortEpochs, at) => {
      const { account, schedule } = accountOf(length, hasShortEpochs);
      for (const slot of [at, at % 2_000]) {
        const [epoch] = schedule.getEpochAndSlotIndex(slot);
        expect(readNextEpochSlot(account, BigInt(slot))).toBe(
          BigInt(schedule.getFirstSlotInEpoch(epoch + 1)),
        );
      }
    }),
  );
});

test('an account that is no schedule says nothing', () => {
  expect(readNextEpochSlot(null, 5n)).toBeNull();
  expect(readNextEpochSlot({ owner: OWNER, data: new Uint8Array(17) }, 5n)).toBeNull();
  expect(readNextEpochSlot({ owner: OWNER, data: new Uint8Array(33) }, 5n)).toBeNull();
});
