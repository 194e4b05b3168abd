import { describe, expect, test } from 'bun:test';
import { type LaunchFacts, launchEnd } from '../../src/features/launches/state.ts';

const statuses = ['prepared', 'submitted', 'confirmed', 'expired', 'failed'] as const;
const failedOnChain = { status: 'failed', errorCode: 'solana_transaction_failed' } as const;
const neverLanded = { status: 'failed', errorCode: 'solana_blockhash_expired' } as const;
const expired = { status: 'expired', errorCode: null } as const;

describe('the end of a launch (contract/launches#status)', () => {
  test.each(statuses)('a pool that exists is bonding, whatever became of the intent: %s', (status) => {
    for (const errorCode of [null, 'solana_blockhash_expired', 'solana_transaction_failed']) {
      const facts = { poolExists: true, intent: { status, errorCode }, windowIsClosed: false };
      expect(launchEnd(facts)).toBe('bonding');
    }
  });

  test.each<[string, LaunchFacts['intent'], string | null]>([
    ['landed and failed', failedOnChain, 'failed'],
    ['never landed', neverLanded, 'failed'],
    ['was never submitted', expired, 'expired'],
    ['waits', { status: 'prepared', errorCode: null }, null],
    ['is on its way', { status: 'submitted', errorCode: null }, null],
    ['landed, and no node shows the pool yet', { status: 'confirmed', errorCode: null }, null],
  ])('without a pool and with a closed window, one that %s', (_name, intent, end) => {
    expect(launchEnd({ poolExists: false, intent, windowIsClosed: true })).toBe(end as never);
  });

  test.each([neverLanded, expired])(
    'a launch stays open while it may still land, or while no node responds: %o',
    (intent) => {
      expect(launchEnd({ poolExists: false, intent, windowIsClosed: false })).toBeNull();
      expect(launchEnd({ poolExists: null, intent, windowIsClosed: true })).toBeNull();
    },
  );
});
