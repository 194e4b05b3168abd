import { describe, expect, test } from 'bun:test';
import { dammErrors } from '../../../src/chain/pools/damm/damm-errors.ts';
import { type DammSwapRequest, quoteDammSwap } from '../../../src/chain/pools/damm/damm-swap.ts';
import {
  type DammPoolState,
  readDammPoolState,
  writeDammPoolState,
} from '../../../src/chain/pools/damm/pool-account.ts';
import {
  type RecordedState,
  type RecordedSwap,
  readDammRecordings,
} from '../../support/pools/quote-recordings.ts';
import {
  differences,
  recordedErrors,
  type SwapOutcome,
  stepsBetween,
} from '../../support/pools/replayed-swaps.ts';
import { candidateRequests } from '../../support/pools/swap-between-states.ts';

const { solIsTokenA, states } = readDammRecordings();
const swaps = states.flatMap((state) => state.swaps);

describe('swaps on AMM pools as the program executed them', () => {
  test('the recordings are whole', () => {
    expect([states.length, swaps.length]).toEqual([345, 1169]);
  });

  test('every amount, fee, price and reserve is met to the last unit, every failure by its number', () => {
    expect(differences(states, outcomeOf)).toEqual([]);
  });

  test('a failure carries the name that belongs to its number', () => {
    expect(recordedErrors(states)).toEqual([
      dammErrors.MathOverflow,
      dammErrors.ExceededSlippage,
      dammErrors.PoolDisabled,
      dammErrors.AmountIsZero,
      dammErrors.PriceRangeViolation,
    ]);
  });
});

describe('AMM pool accounts after a swap', () => {
  test('are the recorded bytes, for each swap that leads from one recorded state to the next', () => {
    const steps = stepsBetween(states);
    const unexplained = steps.filter(({ before, after }) => !leadsTo(before, after));
    expect([steps.length, unexplained.map(({ after }) => after.id)]).toEqual([316, []]);
  });
});

describe('AMM pools that cannot be computed with', () => {
  const [state] = states;
  const [swap] = state?.swaps ?? [];
  if (state === undefined || swap === undefined) throw new Error('there are no recordings');
  const request: DammSwapRequest = { ...swap, direction: 'a_to_b' };

  test.each([
    [{ layoutVersion: 0 }, 'layout_version'],
    [{ baseFeeMode: 5 }, 'base_fee_mode'],
    [{ collectFeeMode: 3 }, 'collect_fee_mode'],
  ] as const)('are refused by name: %p', (change, reason) => {
    const pool = { ...poolOf(state.account), ...change };
    expect(quoteDammSwap(pool, state.clock, request)).toEqual({ outcome: 'unsupported', reason });
  });
});

function outcomeOf({ of, account, clock }: RecordedState, swap: RecordedSwap): SwapOutcome {
  const givesA = (swap.side === 'buy') === solIsTokenA.has(of);
  const request: DammSwapRequest = { ...swap, direction: givesA ? 'a_to_b' : 'b_to_a' };
  const result = quoteDammSwap(poolOf(account), clock, request);
  if (result.outcome === 'unsupported') return [result.reason];
  if (result.outcome === 'failed') {
    expect(dammErrors[result.error.name]).toBe(result.error.number as never);
    return result.error.number;
  }
  return [
    result.inRaw,
    result.inExcludingFeeRaw,
    result.leftRaw,
    result.outRaw,
    result.nextSqrtPrice,
    result.claimingFeeRaw,
    result.protocolFeeRaw,
    result.referralFeeRaw,
    result.compoundingFeeRaw,
    result.feeRaw === 0n ? '-' : result.feeSide.toUpperCase(),
    result.after.tokenAAmount,
    result.after.tokenBAmount,
  ].map(String);
}

/** Whether one of the swaps that fit the change of the numbers gives exactly the bytes of the next state. */
function leadsTo(before: RecordedState, after: RecordedState): boolean {
  const from = poolOf(before.account);
  const to = poolOf(after.account);
  const isAToB = to.tokenAAmount > from.tokenAAmount || to.tokenBAmount < from.tokenBAmount;
  const sign = isAToB ? 1n : -1n;
  const providersFee = to.totalLpAFee - from.totalLpAFee + to.totalLpBFee - from.totalLpBFee;
  const compounded = (providersFee * BigInt(from.compoundingFeeBps)) / 10_000n;
  const a = sign * (to.tokenAAmount - from.tokenAAmount);
  const b = sign * (from.tokenBAmount + compounded - to.tokenBAmount);
  const requests = candidateRequests({
    reserveInGrew: isAToB ? a : b,
    reserveOutShrank: isAToB ? b : a,
    providersFee,
    protocolPercent: BigInt(from.protocolFeePercent),
    feeIsOnInput: !isAToB && from.collectFeeMode !== 0,
  });
  return requests.some((request) => {
    const swap: DammSwapRequest = { ...request, direction: isAToB ? 'a_to_b' : 'b_to_a' };
    const result = quoteDammSwap(from, before.clock, swap);
    if (result.outcome !== 'swapped') return false;
    const bytes = Buffer.from(before.account.data);
    writeDammPoolState(bytes, result.after);
    return bytes.equals(after.account.data);
  });
}

function poolOf(account: RecordedState['account']): DammPoolState {
  const pool = readDammPoolState(account);
  if (pool === null) throw new Error('the recording cannot be read');
  return pool;
}
