import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FEE_DENOMINATOR, FEE_NUMERATOR_MAX } from '../../src/chain/pools/base-fee.ts';
import { amountBeforeFee, feeOn } from '../../src/chain/pools/trading-fee.ts';

const nets = fc.oneof(fc.bigInt({ min: 1n, max: 300n }), fc.bigInt({ min: 1n, max: 2n ** 56n }));
const numerators = fc.oneof(
  fc.bigInt({ min: 0n, max: FEE_NUMERATOR_MAX }),
  fc.constantFrom(0n, 1n, FEE_DENOMINATOR / 10_000n, FEE_DENOMINATOR / 100n, FEE_NUMERATOR_MAX),
);

test('the amount before a fee is the least of which the net amount is left', () => {
  fc.assert(
    fc.property(nets, numerators, (net, numerator) => {
      const left = (gross: bigint) => gross - feeOn(gross, numerator);
      const gross = amountBeforeFee(net, numerator);
      expect(left(gross)).toBeGreaterThanOrEqual(net);
      expect(left(gross - 1n)).toBeLessThan(net);
    }),
  );
});
