import type { ByteReader } from '../byte-reader.ts';
import { type Field, flag, i64, key, layout, list64, u64, u64Text, u128Text } from './field-layouts.ts';

const feeCalculator = layout({ lamportsPerSignature: u64Text });

/** Whether each of the last slots had a block, one digit a slot, and the slot after them. */
const slotHistory: Field = (reader) => {
  reader.u8();
  const words = Array.from({ length: Number(reader.u64()) }, () => reader.u64());
  const bitCount = Number(reader.u64());
  return { bits: words.map(lowestBitFirst).join('').slice(0, bitCount), nextSlot: reader.u64() };
};

function lowestBitFirst(word: bigint): string {
  return [...word.toString(2).padStart(64, '0')].reverse().join('');
}

const stakeHistoryEntry: Field = (reader: ByteReader) => ({
  epoch: reader.u64(),
  stakeHistory: layout({ effective: u64, activating: u64, deactivating: u64 })(reader),
});

interface SysvarForm {
  readonly type: string;
  readonly read: Field;
}

/** Sysvars by address. */
export const SYSVARS: ReadonlyMap<string, SysvarForm> = new Map([
  [
    'SysvarC1ock11111111111111111111111111111111',
    {
      type: 'clock',
      read: layout({
        slot: u64,
        epochStartTimestamp: i64,
        epoch: u64,
        leaderScheduleEpoch: u64,
        unixTimestamp: i64,
      }),
    },
  ],
  [
    'SysvarEpochSchedu1e111111111111111111111111',
    {
      type: 'epochSchedule',
      read: layout({
        slotsPerEpoch: u64,
        leaderScheduleSlotOffset: u64,
        warmup: flag,
        firstNormalEpoch: u64,
        firstNormalSlot: u64,
      }),
    },
  ],
  ['SysvarFees111111111111111111111111111111111', { type: 'fees', read: layout({ feeCalculator }) }],
  [
    'SysvarRecentB1ockHashes11111111111111111111',
    { type: 'recentBlockhashes', read: list64(layout({ blockhash: key, feeCalculator })) },
  ],
  [
    'SysvarRent111111111111111111111111111111111',
    { type: 'rent', read: layout({ lamportsPerByte: u64Text }) },
  ],
  [
    'SysvarS1otHashes111111111111111111111111111',
    { type: 'slotHashes', read: list64(layout({ slot: u64, hash: key })) },
  ],
  ['SysvarS1otHistory11111111111111111111111111', { type: 'slotHistory', read: slotHistory }],
  ['SysvarStakeHistory1111111111111111111111111', { type: 'stakeHistory', read: list64(stakeHistoryEntry) }],
  [
    'SysvarLastRestartS1ot1111111111111111111111',
    { type: 'lastRestartSlot', read: layout({ lastRestartSlot: u64 }) },
  ],
  [
    'SysvarEpochRewards1111111111111111111111111',
    {
      type: 'epochRewards',
      read: layout({
        distributionStartingBlockHeight: u64,
        numPartitions: u64,
        parentBlockhash: key,
        totalPoints: u128Text,
        totalRewards: u64Text,
        distributedRewards: u64Text,
        active: flag,
      }),
    },
  ],
]);
