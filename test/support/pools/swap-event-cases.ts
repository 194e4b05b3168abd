import { type EventCase, priceOf, sol, token, tokenIsA, tokenIsB } from './event-case.ts';
import { addressOf, type IdlProgram } from './program-idl.ts';

/** Fields of a swap: the direction, a flag of 0 or 1, and amounts and a price above zero. */
const swapFixed = {
  dbc: (direction: number) => ({ 64: direction, 65: 1, 84: 1, 108: 1, 116: 1 }),
  damm: (direction: number) => ({ 32: direction, 34: 1, 85: 1, 133: 1, 149: 1 }),
};

/** An event of a swap in one direction, for either program. */
export function swapCase(
  program: IdlProgram,
  { isA, direction, instruction }: { isA: boolean; direction: 0 | 1; instruction: string },
): EventCase {
  const isBuy = program === 'dbc' ? direction === 1 : (direction === 1) === isA;
  return {
    program,
    event: 'EvtSwap2',
    bytes: program === 'dbc' ? 179 : 180,
    instruction,
    accounts: isA ? tokenIsA : tokenIsB,
    fixed: swapFixed[program](direction),
    read: ({ trades }) =>
      trades.map(({ type, traderWallet, solAmount, tokenAmount, spotPriceInSol, liquidityInSol, venue }) => [
        venue,
        type,
        traderWallet,
        solAmount,
        tokenAmount,
        spotPriceInSol,
        liquidityInSol,
      ]),
    expected: (fields) => {
      const [paid, received] =
        program === 'dbc'
          ? [fields.includedFeeInputAmount, fields.outputAmount]
          : [fields.includedTransferFeeAmountIn, fields.excludedTransferFeeAmountOut];
      const ammReserve = isA ? fields.reserveBAmount : fields.reserveAAmount;
      return [
        [
          program,
          isBuy ? 'buy' : 'sell',
          addressOf('payer'),
          sol(isBuy ? paid : received),
          token(isBuy ? received : paid),
          priceOf(fields.nextSqrtPrice, !isA),
          sol(program === 'dbc' ? fields.quoteReserveAmount : ammReserve),
        ],
      ];
    },
  };
}
