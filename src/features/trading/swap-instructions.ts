import { SPL_TOKEN, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { type Instruction, readonly } from '../../chain/transactions/instruction.ts';
import { swapInstruction } from '../../chain/transactions/swap-instruction.ts';
import {
  type AssociatedAccount,
  associatedAccount,
  openAssociatedAccount,
  unwrapSol,
  wrapSol,
} from '../../chain/transactions/token-instructions.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { Quote } from './quote.ts';

/**
 * All instructions of a swap: opens missing accounts, wraps the SOL input, and unwraps SOL afterwards.
 *
 * @param reference makes the bytes unique: two equal swaps with the same blockhash would be one transaction,
 * and land once. Null where the caller composes the transaction.
 */
export async function swapInstructions(
  { pool, request, amounts, snapshot, provesSingleSwap }: Quote,
  wallet: string,
  limitRaw: bigint,
  reference: string | null,
): Promise<Instruction[]> {
  const { base, sol } = await swapAccounts(wallet, snapshot.facts);
  const isBuy = request.side === 'buy';
  const [input, output] = isBuy ? [sol, base] : [base, sol];
  const trader = { wallet, inputAccount: input.address, outputAccount: output.address };
  const { mode, amountRaw } = request;
  const swap = swapInstruction(pool, trader, { mode, amountRaw, limitRaw, provesSingleSwap });
  const paidAtMost = mode === 'exact_in' ? amounts.inRaw : limitRaw;
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
