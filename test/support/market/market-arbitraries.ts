import fc from 'fast-check';
import { type IndexedTrade, tradeId } from '../../../src/indexer/market/indexed-trade.ts';
import type { DecimalString } from '../../../src/shared/decimal.ts';
import { divideDecimals, normaliseDecimal, rawToDecimal } from '../../../src/shared/decimal.ts';

/** A signature in Base58, unique per number. */
export function signatureOf(number: number): string {
  return `${'3'.repeat(60)}${number.toString().replaceAll('0', 'z').padStart(10, 'A')}`;
}

export const FIRST_BLOCK_TIME_MS = Date.UTC(2026, 0, 1);

/** Distinct trades of the tokens over a few hours, in so few slots that positions nearly collide. */
export function tradesOf(mints: readonly string[], maxLength: number): fc.Arbitrary<IndexedTrade[]> {
  const shape = fc.record({
    mint: fc.constantFrom(...mints),
    type: fc.constantFrom('buy' as const, 'sell' as const),
    lamports: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    tokens: fc.bigInt({ min: 1n, max: 10n ** 15n }),
    spot: fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n })),
    slot: fc.bigInt({ min: 1n, max: 20n }),
    transactionIndex: fc.integer({ min: 0, max: 2 }),
    outerIndex: fc.integer({ min: 0, max: 3 }),
    minutes: fc.integer({ min: 0, max: 600 }),
  });
  return fc.array(shape, { minLength: 1, maxLength }).map((shapes) =>
    shapes.map((one, at) => {
      const solAmount = rawToDecimal(one.lamports, 9);
      const tokenAmount = rawToDecimal(one.tokens, 6);
      const transactionSignature = signatureOf(at);
      return {
        id: tradeId(transactionSignature, one.outerIndex, 0),
        mintAddress: one.mint,
        type: one.type,
        traderWallet: mints[0] ?? '',
        solAmount,
        tokenAmount,
        pricePerTokenInSol: divideDecimals(solAmount, tokenAmount),
        spotPriceInSol: one.spot === null ? null : rawToDecimal(one.spot, 18),
        liquidityInSol: null as DecimalString | null,
        onCurve: null as boolean | null,
        slot: one.slot,
        transactionIndex: one.transactionIndex,
        outerIndex: one.outerIndex,
        innerIndex: 0,
        blockTime: new Date(FIRST_BLOCK_TIME_MS + one.minutes * 60_000),
        transactionSignature,
      };
    }),
  );
}

/** A plain trade: 1.5 SOL for 3 tokens in slot 100 + number, one second a number. The price follows the amounts. */
export function numberedTrade(
  mintAddress: string,
  number: number,
  changes: Partial<Record<'solAmount' | 'tokenAmount' | 'spotPriceInSol' | 'liquidityInSol', string>> &
    Partial<
      Pick<
        IndexedTrade,
        'type' | 'slot' | 'transactionIndex' | 'outerIndex' | 'innerIndex' | 'blockTime' | 'onCurve'
      >
    > = {},
): IndexedTrade {
  const decimal = (text: string | undefined) => (text === undefined ? null : normaliseDecimal(text));
  const solAmount = normaliseDecimal(changes.solAmount ?? '1.5');
  const tokenAmount = normaliseDecimal(changes.tokenAmount ?? '3');
  const { outerIndex = 0, innerIndex = 0 } = changes;
  const transactionSignature = signatureFor(mintAddress, number);
  return {
    id: tradeId(transactionSignature, outerIndex, innerIndex),
    mintAddress,
    type: changes.type ?? 'buy',
    traderWallet: mintAddress,
    solAmount,
    tokenAmount,
    pricePerTokenInSol: divideDecimals(solAmount, tokenAmount),
    spotPriceInSol: decimal(changes.spotPriceInSol),
    liquidityInSol: decimal(changes.liquidityInSol),
    onCurve: changes.onCurve ?? null,
    slot: changes.slot ?? BigInt(100 + number),
    transactionIndex: changes.transactionIndex ?? 0,
    outerIndex,
    innerIndex,
    blockTime: changes.blockTime ?? new Date(FIRST_BLOCK_TIME_MS + number * 1_000),
    transactionSignature,
  };
}

/** Unique per token and number, so that tokens of one database do not share transactions. */
function signatureFor(mintAddress: string, number: number): string {
  return `${mintAddress}${signatureOf(number)}`.slice(-70) + mintAddress.slice(0, 18);
}
