import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readFeature } from '../../src/chain/accounts/feature-account.ts';
import { FEATURE_PROGRAM, SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import { featureData } from '../support/chain/feature-accounts.ts';

const of = (data: Uint8Array, owner = FEATURE_PROGRAM) => readFeature({ owner, data });
const absent = { state: 'absent', activeSince: null } as const;

describe('a feature account', () => {
  test('without an active slot is scheduled, and with one active since then', () => {
    expect(of(featureData(null))).toEqual({ state: 'scheduled', activeSince: null });
    expect(of(featureData(454_464_000n))).toEqual({ state: 'active', activeSince: 454_464_000n });
    expect(of(featureData(2n ** 64n - 1n)).activeSince).toBe(2n ** 64n - 1n);
  });

  test('that is no account of the feature program shows nothing: anybody can send lamports to the address', () => {
    expect(readFeature(null)).toEqual(absent);
    expect(of(new Uint8Array(0), SYSTEM_PROGRAM)).toEqual(absent);
    expect(of(featureData(7n), SYSTEM_PROGRAM)).toEqual(absent);
  });

  test('of any bytes is read without an error, as the runtime reads it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40, size: 'max' }), (data) => {
        const { state } = of(data);
        const expected = { 0: 'scheduled', 1: data.byteLength < 9 ? 'absent' : 'active' }[data[0] ?? 2];
        expect(state).toBe((expected ?? 'absent') as typeof state);
      }),
      { examples: [[new Uint8Array([1])], [new Uint8Array([2, 0, 0, 0, 0, 0, 0, 0, 0])]] },
    );
  });
});
