import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { roundStatuses } from '../../src/db/values/predictions.ts';
import { intentText } from '../../src/features/predictions/intents/signed-text.ts';
import { sharePrizePool, WINNERS_MAX } from '../../src/features/predictions/rounds/payouts.ts';
import {
  isTerminal,
  roundTransitions,
  timedTransitions,
  transitionEvent,
} from '../../src/features/predictions/rounds/state.ts';
import {
  eligibilityReasons,
  failedRequirements,
} from '../../src/features/predictions/submissions/eligibility.ts';
import { failurePrecedence } from '../../src/features/predictions/submissions/failures.ts';
import { isPredictablePrice } from '../../src/features/predictions/submissions/price-range.ts';
import { publishedLimits } from '../../src/shared/contract-limits.ts';
import { normaliseDecimal } from '../../src/shared/decimal.ts';
import { problemTable } from '../../src/shared/problem-table.ts';

const pools = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe('the prize pool', () => {
  test('is shared to the last lamport among the participants, and by nobody when there are none', () => {
    fc.assert(
      fc.property(pools, fc.integer({ min: 0, max: 100_000 }), (pool, participants) => {
        const shares = sharePrizePool(pool, participants);
        expect(shares).toHaveLength(Math.min(participants, WINNERS_MAX));
        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(participants === 0 ? 0n : pool);
      }),
    );
  });

  test('is shared in proportion to 1/rank, off by less than one lamport, the remainder to the best', () => {
    fc.assert(
      fc.property(pools, fc.integer({ min: 1, max: 10 }), (pool, participants) => {
        const shares = sharePrizePool(pool, participants);
        const ranks = shares.map((_, index) => BigInt(index + 1));
        const product = ranks.reduce((all, rank) => all * rank, 1n);
        const weightSum = ranks.reduce((sum, rank) => sum + product / rank, 0n);
        const extras = shares.map((share, index) => {
          const rank = BigInt(index + 1);
          const floor = (pool * (product / rank)) / weightSum;
          return share - floor;
        });
        // One lamport each, to the first ranks and nobody after them.
        expect(extras.every((extra) => extra === 0n || extra === 1n)).toBe(true);
        expect(extras).toEqual([...extras].sort((a, b) => Number(b - a)));
      }),
    );
  });

  test.each([
    [100n, 1, [100n]],
    [100n, 2, [67n, 33n]],
    [1n, 3, [1n, 0n, 0n]],
    [11n, 3, [6n, 3n, 2n]],
    [0n, 3, [0n, 0n, 0n]],
    [7_381n, 10, [2_520n, 1_260n, 840n, 630n, 504n, 420n, 360n, 315n, 280n, 252n]],
  ])('of %p lamports among %p is %p', (pool, participants, shares) => {
    expect(sharePrizePool(pool, participants)).toEqual(shares);
  });
});

describe('a round', () => {
  test('goes scheduled, open, locked, settling, settled, and to voided from anywhere but the end', () => {
    expect(Object.keys(roundTransitions)).toEqual([...roundStatuses]);
    expect(timedTransitions).toMatchObject({
      scheduled: { to: 'open' },
      open: { to: 'locked' },
      locked: { to: 'settling' },
    });
    for (const status of roundStatuses) {
      if (isTerminal(status)) expect(() => transitionEvent(status, 'voided')).toThrow();
      else expect(transitionEvent(status, 'voided')).toBe('prediction_round.voided');
    }
    expect(roundStatuses.filter(isTerminal)).toEqual(['settled', 'voided']);
  });

  test('never goes back or skips a state', () => {
    const path = ['scheduled', 'open', 'locked', 'settling', 'settled'] as const;
    path.forEach((from, index) => {
      path.forEach((to, other) => {
        if (other === index + 1) expect(() => transitionEvent(from, to)).not.toThrow();
        else expect(() => transitionEvent(from, to)).toThrow();
      });
    });
  });
});

test('requirements are judged independently: the reasons are exactly those that fail, in their order', () => {
  const facts = fc.record({
    username: fc.option(fc.string()),
    isVerified: fc.boolean(),
    tokenIsEnabled: fc.boolean(),
    roundIsOpen: fc.boolean(),
    minimumBalanceRaw: fc.bigInt({ min: 0n, max: 5n }),
  });
  fc.assert(
    fc.property(facts, fc.option(fc.bigInt({ min: 0n, max: 5n })), (given, balance) => {
      const reasons = failedRequirements(given, balance);
      expect(reasons.includes('username_required')).toBe(given.username === null);
      expect(reasons.includes('wallet_not_verified')).toBe(!given.isVerified);
      expect(reasons.includes('round_not_open')).toBe(!given.roundIsOpen);
      expect(reasons.includes('token_not_enabled')).toBe(!given.tokenIsEnabled);
      const isShort = balance !== null && balance < given.minimumBalanceRaw;
      expect(reasons.includes('insufficient_balance')).toBe(isShort);
      expect(reasons).toEqual(eligibilityReasons.filter((reason) => reasons.includes(reason)));
    }),
  );
});

test('of several failures a missing resource is reported first, then states, then content, then unknown facts', () => {
  const place = { 404: 0, 409: 1, 403: 2, 422: 2, 503: 3 } as Record<number, number>;
  const places = failurePrecedence.map((code) => place[problemTable[code].status] ?? -1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(new Set(failurePrecedence).size).toBe(failurePrecedence.length);
});

test('a price has at most 12 integer and 18 fractional digits, and is not zero', () => {
  const { predictionPriceIntegerDigits, predictionPriceFractionDigits } = publishedLimits;
  const whole = fc.bigInt({ min: 0n, max: 10n ** 14n });
  const fraction = fc.stringMatching(/^[0-9]{0,21}$/);
  fc.assert(
    fc.property(whole, fraction, (integer, digits) => {
      const price = normaliseDecimal(digits === '' ? integer.toString() : `${integer}.${digits}`);
      const [, written = ''] = price.split('.');
      const fits =
        integer < 10n ** BigInt(predictionPriceIntegerDigits) &&
        written.length <= predictionPriceFractionDigits &&
        price !== '0';
      expect(isPredictablePrice(price)).toBe(fits);
    }),
  );
  for (const text of ['', '-1', '01', '1.0', '1e3', '.5', '5.']) expect(isPredictablePrice(text)).toBe(false);
});

test('the text that a wallet signs is fixed to the byte', () => {
  const text = intentText({
    id: '0191E7A4-5C1E-7D3A-9C5B-2F4A6B8C0D1E',
    accountId: '0191e7a4-0000-7000-8000-000000000001',
    roundId: '0191e7a4-0000-7000-8000-000000000002',
    walletAddress: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
    predictedPriceInSol: normaliseDecimal('0.0000000310'),
    expiresAt: new Date('2026-11-20T12:00:00+02:00'),
  });
  expect(text).toBe(
    'Launchwire prediction, version 1\n' +
      'intent: 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e\n' +
      'account: 0191e7a4-0000-7000-8000-000000000001\n' +
      'round: 0191e7a4-0000-7000-8000-000000000002\n' +
      'wallet: 9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM\n' +
      'price: 0.000000031 SOL\n' +
      'expires: 2026-11-20T10:00:00.000Z',
  );
});
