import fc from 'fast-check';
import { type IndexedTrade, tradeId } from '../../../src/indexer/market/indexed-trade.ts';
import type { DecimalString } from '../../../src/shared/decimal.ts';
import { decimalToRaw, divideDecimals, normaliseDecimal, rawToDecimal } from '../../../src/shared/decimal.ts';

/** A signature in Base58, unique per number. */
export function signatureOf(number: number): string {
  return `${'3'.repeat(60)}${number.toString().replaceAll('0', 'z').padStart(10, 'A')}`;
}

export const FIRST_BLOCK_TIME_MS = Date.UTC(2026, 0, 1);

const DECIMALS = 6;

/** What is known of tokens with the decimals of these trades. */
export const tokensOf = (mints: readonly string[]) =>
  new Map(mints.map((mint) => [mint, { decimals: DECIMALS, graduatedAt: null as Date | null }]));

/** The price that a trade paid, when it counts: at least 100,000 lamports and 10,000 raw units of the token (contract/market-data#paid-prices). */
export function countedPrice({
  solAmount,
  tokenAmount,
  pricePerTokenInSol,
}: IndexedTrade): DecimalString | null {
  const [lamports = 0n, raw = 0n] = [
    decimalToRaw(solAmount, 9) ?? 0n,
    decimalToRaw(tokenAmount, DECIMALS) ?? 0n,
  ];
  return lamports >= 100_000n && raw >= 10_000n && pricePerTokenInSol !== '0' ? pricePerTokenInSol : null;
}

/** Half of them are about as small as a price may be, so that rounding is much of it. */
const rawAround = (least: bigint, min: bigint, max: bigint) =>
  fc.oneof(
    fc.bigInt({ min, max: 2n * least }),
    fc.constantFrom(least - 1n, least),
    fc.bigInt({ min: least, max }),
    fc.bigInt({ min: least, max }),
  );

/** Distinct trades of the tokens over a few hours, in so few slots that positions nearly collide. */
export function tradesOf(mints: readonly string[], maxLength: number): fc.Arbitrary<IndexedTrade[]> {
  const shape = fc.record({
    mint: fc.constantFrom(...mints),
    type: fc.constantFrom('buy' as const, 'sell' as const),
    lamports: rawAround(100_000n, 0n, 10n ** 12n),
    tokens: rawAround(10_000n, 1n, 10n ** 15n),
    spot: fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n })),
    slot: fc.bigInt({ min: 1n, max: 20n }),
    transactionIndex: fc.integer({ min: 0, max: 2 }),
    outerIndex: fc.integer({ min: 0, max: 3 }),
    minutes: fc.integer({ min: 0, max: 600 }),
  });
  return fc.array(shape, { minLength: 1, maxLength }).map((shapes) =>
    shapes.map((one, at) => {
      const solAmount = rawToDecimal(one.lamports, 9);
      const tokenAmount = rawToDecimal(one.tokens, DECIMALS);
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
