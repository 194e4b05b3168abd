import { describe, expect, test } from 'bun:test';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import {
  readCurveConfig,
  readCurveConfigKeys,
  writeCurveConfig,
  writeCurveConfigKeys,
} from '../../../src/chain/pools/curve/config-account.ts';
import {
  readCurvePool,
  readCurvePoolKeys,
  writeCurvePool,
  writeCurvePoolKeys,
} from '../../../src/chain/pools/curve/pool-account.ts';
import {
  readDammPoolKeys,
  readDammPoolState,
  writeDammPoolKeys,
  writeDammPoolState,
} from '../../../src/chain/pools/damm/pool-account.ts';
import { readCurveRecordings, readDammRecordings } from '../../support/quote-recordings.ts';

const curves = readCurveRecordings();
const kinds = [
  {
    kind: 'curve config',
    accounts: [...curves.configs.values()],
    read: readCurveConfig,
    rewrite: (from: ChainAccount, to: Buffer) => {
      writeCurveConfig(to, readCurveConfig(from) ?? {});
      writeCurveConfigKeys(to, readCurveConfigKeys(from) ?? {});
    },
  },
  {
    kind: 'curve pool',
    accounts: curves.states.map(({ account }) => account),
    read: readCurvePool,
    rewrite: (from: ChainAccount, to: Buffer) => {
      writeCurvePool(to, readCurvePool(from) ?? {});
      writeCurvePoolKeys(to, readCurvePoolKeys(from) ?? {});
    },
  },
  {
    kind: 'AMM pool',
    accounts: readDammRecordings().states.map(({ account }) => account),
    read: readDammPoolState,
    rewrite: (from: ChainAccount, to: Buffer) => {
      writeDammPoolState(to, readDammPoolState(from) ?? {});
      writeDammPoolKeys(to, readDammPoolKeys(from) ?? {});
    },
  },
];

describe.each(kinds)('a $kind account', ({ accounts, read, rewrite }) => {
  const [first] = accounts;
  if (first === undefined) throw new Error('there are no recordings');

  test('is written back byte for byte from what was read of it', () => {
    for (const account of accounts) {
      const bytes = Buffer.alloc(account.data.length);
      bytes.set(account.data.subarray(0, 8));
      rewrite(account, bytes);
      expect(bytes.equals(account.data)).toBe(true);
    }
  });

  test('is not read when it is absent, cut short, another kind or of another program', () => {
    const otherKind = Buffer.from(first.data);
    otherKind.fill(0, 0, 8);
    const others = [
      null,
      { ...first, data: first.data.subarray(0, -1) },
      { ...first, data: otherKind },
      { ...first, owner: '11111111111111111111111111111111' },
    ];
    expect(others.map((account) => read(account))).toEqual([null, null, null, null]);
  });
});

describe('writing an account', () => {
  test('reads a transfer-hook pool like any other, and keeps its kind when it writes', () => {
    const [state] = curves.states;
    if (state === undefined) throw new Error('there are no recordings');
    const data = Buffer.from(state.account.data);
    data.write('eddbb8172abda923', 'hex');
    const account = { owner: state.account.owner, data };
    expect(readCurvePool(account)).toEqual(readCurvePool(state.account));
    writeCurvePool(data, { quoteReserve: 7n });
    expect([data.subarray(0, 8).toString('hex'), readCurvePool(account)?.quoteReserve]).toEqual([
      'eddbb8172abda923',
      7n,
    ]);
  });

  test.each([
    { quoteReserve: 2n ** 64n },
    { quoteReserve: -1n },
    { sqrtPrice: 2n ** 128n },
    { hasSwap: 256 },
  ])('refuses a value that does not fit: %p', (fields) => {
    expect(() => writeCurvePool(Buffer.alloc(424), fields)).toThrow(RangeError);
  });

  test('refuses more points than a curve has room for', () => {
    const curve = Array.from({ length: 21 }, () => ({ sqrtPrice: 1n, liquidity: 1n }));
    expect(() => writeCurveConfig(Buffer.alloc(1048), { curve })).toThrow(RangeError);
  });
});
