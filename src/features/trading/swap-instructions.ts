import { SPL_TOKEN, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { type Instruction, readonly } from '../../chain/transactions/instruction.ts';
import { type SwapOrder, type SwapPool, swapInstruction } from '../../chain/transactions/swap-instruction.ts';
import {
  type AssociatedAccount,
  associatedAccount,
  openAssociatedAccount,
  unwrapSol,
  wrapSol,
} from '../../chain/transactions/token-instructions.ts';
import type { ExactSwap } from '../../intents/waiting-swap.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { Quote } from './quote.ts';

/**
 * All instructions of a swap: opens missing accounts, wraps the SOL input, and unwraps SOL afterwards.
 *
 * @param reference makes the bytes unique: two equal swaps with the same blockhash would be one transaction,
 * and land once. Null where the caller composes the transaction.
 */
export function swapInstructions(
  { pool, request, amounts, snapshot, provesSingleSwap }: Quote,
  wallet: string,
  limitRaw: bigint,
  reference: string | null,
): Promise<Instruction[]> {
  const paidAtMost = request.mode === 'exact_in' ? amounts.inRaw : limitRaw;
  const order = { ...request, limitRaw, provesSingleSwap };
  return composeSwap({ pool, facts: snapshot.facts }, { wallet, paidAtMost, reference, order });
}

/** As `swapInstructions`, for a swap that pays exactly an amount at a price that is not known yet. */
export function exactSwapInstructions(
  place: {
    pool: SwapPool;
    facts: Pick<PoolFacts, 'mintAddress' | 'tokenProgram'>;
    provesSingleSwap: boolean;
  },
  { wallet, side, amountRaw, limitRaw, reference }: ExactSwap,
): Promise<Instruction[]> {
  const { provesSingleSwap } = place;
  const order = { side, mode: 'exact_in', amountRaw, limitRaw, provesSingleSwap } as const;
  return composeSwap(place, { wallet, paidAtMost: amountRaw, reference, order });
}

interface ComposedSwap {
  wallet: string;
  /** The most that the pool takes. */
  paidAtMost: bigint;
  reference: string | null;
  order: SwapOrder & Pick<Quote['request'], 'side'>;
}

async function composeSwap(
  { pool, facts }: { pool: SwapPool; facts: Pick<PoolFacts, 'mintAddress' | 'tokenProgram'> },
  { wallet, paidAtMost, reference, order }: ComposedSwap,
): Promise<Instruction[]> {
  const { base, sol } = await swapAccounts(wallet, facts);
  const isBuy = order.side === 'buy';
  const [input, output] = isBuy ? [sol, base] : [base, sol];
  const trader = { wallet, inputAccount: input.address, outputAccount: output.address };
  const swap = swapInstruction(pool, trader, order);
  const opened = openAssociatedAccount(wallet, sol);
  // The program ignores extra accounts, so every swap can carry the reference there.
  const openSol =
    reference === null ? opened : { ...opened, accounts: [...opened.accounts, readonly(reference)] };
  return [
    openSol,
    ...(isBuy ? [...wrapSol(sol, paidAtMost), openAssociatedAccount(wallet, base)] : []),
    swap,
    unwrapSol(sol),
  ];
}

/** The accounts of a wallet for the token and for wrapped SOL. */
export async function swapAccounts(
  wallet: string,
  { mintAddress, tokenProgram }: Pick<PoolFacts, 'mintAddress' | 'tokenProgram'>,
): Promise<{ base: AssociatedAccount; sol: AssociatedAccount }> {
  return {
    base: await associatedAccount(wallet, mintAddress, tokenProgram),
    sol: await associatedAccount(wallet, WRAPPED_SOL_MINT, SPL_TOKEN),
  };
}
