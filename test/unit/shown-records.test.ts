import { describe, expect, test } from 'bun:test';
import { WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { writeCurveConfigKeys } from '../../src/chain/pools/curve/config-account.ts';
import { launchedPool } from '../../src/chain/pools/curve/launched-pool.ts';
import { writeCurvePoolKeys } from '../../src/chain/pools/curve/pool-account.ts';
import { type OrderRow, toOrder } from '../../src/features/orders/record.ts';
import { OrderSchema } from '../../src/features/orders/schema.ts';
import { LaunchedTokenSchema } from '../../src/features/tokens/schema.ts';
import type { Address } from '../../src/shared/address.ts';
import { normaliseDecimal } from '../../src/shared/decimal.ts';
import { recordFields } from '../support/contract-coverage/fields.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { curveConfigAccount, curvePoolAccount } from '../support/pools/pool-accounts-from-numbers.ts';

describe('an order', () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);

  /** A row whose figures all differ from each other, and from those of another number. */
  function landedRow(
    number: number,
    programError: NonNullable<OrderRow['refusal']>['programError'],
  ): OrderRow {
    return {
      id: crypto.randomUUID(),
      accountId: crypto.randomUUID(),
      status: 'landed',
      walletAddress: newAddress(),
      nonceAddress: newAddress(),
      nonce: newAddress(),
      mintAddress: newAddress(),
      side: 'sell',
      amountRaw: `1${number}`,
      limitRaw: `2${number}`,
      slippageBps: 30 + number,
      triggerPrice: `0.4${number}`,
      triggerWhen: 'at_or_above',
      triggerOf: 'spot',
      slotId: crypto.randomUUID(),
      ocoGroup: `group-${number}`,
      sendRoute: 'fast',
      priorityLevel: 'high',
      tipLamports: 50n + BigInt(number),
      transactions: [],
      triggerTradeId: crypto.randomUUID(),
      triggerSlot: 60n + BigInt(number),
      triggerObservedPrice: `0.7${number}`,
      triggeredAt: at(number),
      attempts: 80 + number,
      refusal: { reason: 'program_error', programError },
      reason: null,
      intentId: crypto.randomUUID(),
      transactionSignature: `signature-${number}`,
      slot: 90n + BigInt(number),
      finality: 'confirmed',
      succeeded: true,
      blockTime: at(10 + number),
      indexInBlock: 100 + number,
      feeLamports: 110n + BigInt(number),
      computeUnits: 120n + BigInt(number),
      paidTipLamports: 130n + BigInt(number),
      changes: {
        lamports: `-14${number}`,
        tokens: [{ mintAddress: newAddress(), changeRaw: `15${number}` }],
      },
      inputRaw: `16${number}`,
      outputRaw: `17${number}`,
      priceInSol: normaliseDecimal(`0.18${number}`),
      quoteDifferenceBps: -190 - number,
      advanceIntentId: crypto.randomUUID(),
      version: 200 + number,
      expiresAt: at(20),
      createdAt: at(0),
      openedAt: at(1),
      completedAt: at(30 + number),
    } as unknown as OrderRow;
  }

  const program = newAddress();
  test.each([
    [1, { program, number: 6_002, name: 'ExceededSlippage' }],
    [2, { program, number: 6_999, name: null }],
    [3, null],
  ])('that landed shows each column of its row under its name: %d', (number, programError) => {
    const row = landedRow(number, programError);
    const order = toOrder(row);
    recordFields({ name: 'Order', schema: OrderSchema }, () => order);
    expect(order).toMatchObject({
      amountRaw: `1${number}`,
      limitRaw: `2${number}`,
      slippageBps: 30 + number,
      trigger: { price: `0.4${number}`, when: 'at_or_above', of: 'spot' },
      oco: `group-${number}`,
      priorityLevel: 'high',
      tipLamports: `${50 + number}`,
      triggeredBy: { slot: `${60 + number}`, price: `0.7${number}`, at: at(number).toISOString() },
      attempts: 80 + number,
      refusal: { reason: 'program_error', programError },
      reason: null,
      intentId: row.intentId,
      transactionSignature: `signature-${number}`,
      landed: {
        slot: `${90 + number}`,
        blockTime: at(10 + number).toISOString(),
        indexInBlock: 100 + number,
        feeLamports: `${110 + number}`,
        computeUnits: `${120 + number}`,
        tipLamports: `${130 + number}`,
        changes: { lamports: `-14${number}`, tokens: [{ changeRaw: `15${number}` }] },
        inputRaw: `16${number}`,
        outputRaw: `17${number}`,
        priceInSol: `0.18${number}`,
        quoteDifferenceBps: -190 - number,
      },
      advanceIntentId: row.advanceIntentId,
      version: 200 + number,
      completedAt: at(30 + number).toISOString(),
    });
  });
});

test.each([
  [1n, WRAPPED_SOL_MINT, '0.00025'],
  [2n, WRAPPED_SOL_MINT, '0.001'],
  [3n, newAddress(), null],
])(
  'the pool of an announced token has the reserves and the price of its account: times %s',
  (times, quoteMint, spotPriceInSol) => {
    const [poolAddress, mintAddress, config] = [newAddress(), newAddress(), newAddress()];
    const poolAccount = curvePoolAccount({
      baseReserve: 1_000n * times,
      quoteReserve: 77n * times,
      // The price in raw units is the square of this over 2^64: a quarter for 1.
      sqrtPrice: times << 63n,
    });
    writeCurvePoolKeys(poolAccount.data, { baseMint: mintAddress as Address, config: config as Address });
    const configAccount = curveConfigAccount({ tokenDecimal: 6, curve: [] });
    writeCurveConfigKeys(configAccount.data, { quoteMint: quoteMint as Address });
    const pool = launchedPool({ slot: 40n + times, poolAddress, mintAddress }, poolAccount, configAccount);
    recordFields({ name: 'Token.pool', schema: LaunchedTokenSchema.properties.pool }, () => pool);
    expect(pool).toMatchObject({
      poolAddress,
      quoteMint,
      baseReserveRaw: String(1_000n * times),
      quoteReserveRaw: String(77n * times),
      spotPriceInSol,
      slot: String(40n + times),
    });
  },
);
