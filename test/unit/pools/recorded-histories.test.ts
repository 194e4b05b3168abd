import { describe, expect, test } from 'bun:test';
import { type ChainAccount, fieldsOf } from '../../../src/chain/accounts/account-data.ts';
import { BONDING_CURVE, DAMM_V2 } from '../../../src/chain/accounts/programs.ts';
import { readCurveConfig } from '../../../src/chain/pools/curve/config-account.ts';
import { quoteCurveSwap } from '../../../src/chain/pools/curve/curve-swap.ts';
import { curveTerms } from '../../../src/chain/pools/curve/curve-terms.ts';
import {
  type CurvePool,
  readCurvePool,
  readCurvePoolKeys,
  writeCurvePool,
} from '../../../src/chain/pools/curve/pool-account.ts';
import { quoteDammSwap } from '../../../src/chain/pools/damm/damm-swap.ts';
import {
  type DammPoolState,
  readDammPoolState,
  writeDammPoolState,
} from '../../../src/chain/pools/damm/pool-account.ts';
import {
  type PoolHistory,
  type RecordedEvent,
  readPoolHistories,
  swapTermsOf,
} from '../../support/pools/pool-histories.ts';

const SWAP2_EVENT = 'bd4233a826507599';
const CLAIM_PROTOCOL_FEE = 'baf44bfbbc0d1921';
const histories = readPoolHistories();

describe.each(histories.filter(curveOf))('the curve of $name', (history) => {
  test('goes from its creation through every swap to the recorded bytes', () => {
    const { address, account } = curveOf(history) ?? missing();
    const keys = readCurvePoolKeys(account) ?? missing();
    const config = readCurveConfig(history.accountsAfter.get(keys.config) ?? null) ?? missing();
    const terms = curveTerms(config);
    const end = readCurvePool(account) ?? missing();
    const supply = fieldsOf(history.accountsAfter.get(keys.baseMint)?.data ?? missing()).u64(36);
    let pool: CurvePool = { ...end, ...unswapped, baseReserve: supply, sqrtPrice: config.sqrtStartPrice };
    const data = Buffer.from(account.data);
    writeCurvePool(data, pool);
    for (const event of eventsAbout(history, BONDING_CURVE, address)) {
      const claimed = afterClaim(pool, event);
      writeCurvePool(data, claimed);
      pool = { ...pool, ...claimed };
      if (event.discriminator !== SWAP2_EVENT) continue;
      const side = event.body.readUInt8(64) === 1 ? 'buy' : 'sell';
      const request = { ...swapTermsOf(event, 12), side, isFirstSwapAtLaunch: false } as const;
      const swap = quoteCurveSwap(terms, pool, event.clock, request);
      if (swap.outcome === 'failed') throw new Error(swap.error.name);
      const fees = [swap.tradingFeeRaw, swap.protocolFeeRaw, swap.referralFeeRaw];
      expect([...amountsOf(swap), ...fees, swap.after.quoteReserve]).toEqual(curveEvent(event));
      writeCurvePool(data, swap.after);
      pool = { ...pool, ...swap.after };
    }
    // The migration itself takes the last step.
    if (end.isMigrated === 1) writeCurvePool(data, { migrationProgress: end.migrationProgress });
    expect(data.equals(account.data)).toBe(true);
  });
});

describe.each(histories.filter(ammOf))('the AMM pool of $name', (history) => {
  test('goes from its creation through every swap to the recorded bytes', () => {
    const { address, account } = ammOf(history) ?? missing();
    const data = Buffer.from(account.data);
    let pool: DammPoolState = { ...(readDammPoolState(account) ?? missing()), ...untraded };
    writeDammPoolState(data, pool);
    for (const event of eventsAbout(history, DAMM_V2, address)) {
      const change = afterAdministration(pool, event);
      writeDammPoolState(data, change);
      pool = { ...pool, ...change };
      if (event.discriminator !== SWAP2_EVENT) continue;
      const direction = event.body.readUInt8(32) === 0 ? 'a_to_b' : 'b_to_a';
      const swap = quoteDammSwap(pool, event.clock, { ...swapTermsOf(event, 11), direction });
      if (swap.outcome !== 'swapped') throw new Error(swap.outcome);
      const fees = [swap.claimingFeeRaw, swap.protocolFeeRaw, swap.compoundingFeeRaw, swap.referralFeeRaw];
      expect([...amountsOf(swap), ...fees, swap.after.tokenAAmount, swap.after.tokenBAmount]).toEqual(
        ammEvent(event),
      );
      writeDammPoolState(data, swap.after);
      pool = { ...pool, ...swap.after };
    }
    expect(data.equals(account.data)).toBe(true);
  });
});

test('the histories hold every recorded swap that succeeded', () => {
  const swaps = histories.flatMap(({ events }) =>
    events.filter(({ discriminator }) => discriminator === SWAP2_EVENT),
  );
  expect(swaps.length).toBe(SWAPS_IN_HISTORIES);
});

/** On the curves and on the AMM pools of test/fixtures/dbc and test/fixtures/damm. */
const SWAPS_IN_HISTORIES = 86;

/** A curve's numbers before its first swap. */
const unswapped: Partial<CurvePool> = {
  lastUpdateTimestamp: 0n,
  sqrtPriceReference: 0n,
  volatilityAccumulator: 0n,
  volatilityReference: 0n,
  quoteReserve: 0n,
  protocolBaseFee: 0n,
  protocolQuoteFee: 0n,
  partnerBaseFee: 0n,
  partnerQuoteFee: 0n,
  creatorBaseFee: 0n,
  creatorQuoteFee: 0n,
  totalProtocolBaseFee: 0n,
  totalProtocolQuoteFee: 0n,
  totalTradingBaseFee: 0n,
  totalTradingQuoteFee: 0n,
  finishCurveTimestamp: 0n,
  migrationProgress: 0,
  hasSwap: 0,
};

const untraded: Partial<DammPoolState> = {
  lastUpdateTimestamp: 0n,
  sqrtPriceReference: 0n,
  volatilityAccumulator: 0n,
  volatilityReference: 0n,
  protocolAFee: 0n,
  protocolBFee: 0n,
  totalProtocolAFee: 0n,
  totalProtocolBFee: 0n,
  totalLpAFee: 0n,
  totalLpBFee: 0n,
  feeAPerLiquidity: 0n,
  feeBPerLiquidity: 0n,
};

function afterClaim(pool: CurvePool, { discriminator, body }: RecordedEvent): Partial<CurvePool> {
  const claimed = () => [body.readBigUInt64LE(32), body.readBigUInt64LE(40)] as const;
  if (discriminator === '1a5375f05cca70fe') {
    const [base, quote] = claimed();
    return { partnerBaseFee: pool.partnerBaseFee - base, partnerQuoteFee: pool.partnerQuoteFee - quote };
  }
  if (discriminator === '9ae4d7ca859bd68a') {
    const [base, quote] = claimed();
    return { creatorBaseFee: pool.creatorBaseFee - base, creatorQuoteFee: pool.creatorQuoteFee - quote };
  }
  if (discriminator !== CLAIM_PROTOCOL_FEE) return {};
  // The claim also pays out the protocol's migration fee, which no counter of swaps holds.
  return { protocolBaseFee: 0n, protocolQuoteFee: 0n };
}

/** The pool after a creation, deposit, withdrawal or claim. */
function afterAdministration(
  pool: DammPoolState,
  { discriminator, body }: RecordedEvent,
): Partial<DammPoolState> {
  const fields = fieldsOf(body);
  if (discriminator === 'e432f655cb428625') {
    const end = body.length;
    return {
      liquidity: fields.u128(end - 75),
      sqrtPrice: fields.u128(end - 59),
      tokenAAmount: fields.u64(end - 33),
      tokenBAmount: fields.u64(end - 25),
    };
  }
  if (discriminator === 'c5ab4e7fe0d3570d') {
    const delta = fields.u128(144);
    return {
      liquidity: fields.u8(176) === 0 ? pool.liquidity + delta : pool.liquidity - delta,
      tokenAAmount: fields.u64(128),
      tokenBAmount: fields.u64(136),
    };
  }
  if (discriminator !== CLAIM_PROTOCOL_FEE) return {};
  return {
    protocolAFee: pool.protocolAFee - fields.u64(32),
    protocolBFee: pool.protocolBFee - fields.u64(40),
  };
}

function curveEvent({ body }: RecordedEvent): bigint[] {
  const { u64, u128 } = fieldsOf(body);
  return [...[83, 91, 99, 107].map(u64), u128(115), ...[131, 139, 147, 155].map(u64)];
}

function ammEvent({ body }: RecordedEvent): bigint[] {
  const { u64, u128 } = fieldsOf(body);
  return [...[52, 60, 68, 76].map(u64), u128(84), ...[100, 108, 116, 124, 164, 172].map(u64)];
}

function amountsOf(swap: {
  inRaw: bigint;
  inExcludingFeeRaw: bigint;
  leftRaw: bigint;
  outRaw: bigint;
  nextSqrtPrice: bigint;
}): bigint[] {
  return [swap.inRaw, swap.inExcludingFeeRaw, swap.leftRaw, swap.outRaw, swap.nextSqrtPrice];
}

function eventsAbout({ events }: PoolHistory, program: string, address: string): RecordedEvent[] {
  return events.filter((event) => event.program === program && fieldsOf(event.body).address(0) === address);
}

function curveOf({ accountsAfter }: PoolHistory) {
  return accountThat(accountsAfter, (account) => readCurvePool(account) !== null);
}

function ammOf({ accountsAfter }: PoolHistory) {
  return accountThat(accountsAfter, (account) => readDammPoolState(account) !== null);
}

function accountThat(accounts: PoolHistory['accountsAfter'], fits: (account: ChainAccount) => boolean) {
  for (const [address, account] of accounts) if (fits(account)) return { address, account };
  return null;
}

function missing(): never {
  throw new Error('the history lacks an account');
}
