import { expect, test } from 'bun:test';
import { sendsInFlightMax } from '../../src/chain/rpc/send-target.ts';

test('all addresses together leave room for other requests', () => {
  for (const addresses of [1, 2, 3, 4, 7, 50]) {
    expect(sendsInFlightMax(addresses)).toBeGreaterThan(0);
    expect(sendsInFlightMax(addresses) * addresses).toBeLessThanOrEqual(192);
  }
});
