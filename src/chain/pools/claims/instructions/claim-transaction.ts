import { WRAPPED_SOL_MINT } from '../../../accounts/programs.ts';
import { type Instruction, readonly } from '../../../transactions/instruction.ts';
import {
  type AssociatedAccount,
  associatedAccount,
  closeAccount,
  openAssociatedAccount,
  unwrapSol,
} from '../../../transactions/token-instructions.ts';
import type { Claim } from '../claim.ts';
import { claimInstruction, mayPayTokens, namedSides } from './claim-instruction.ts';

/** A claim with the claimer's accounts, derived. */
export interface PayableClaim {
  claim: Claim;
  base: AssociatedAccount;
  quote: AssociatedAccount;
}

/** The wallet and its accounts before its claims. */
export interface ClaimerAccounts {
  wallet: string;
  /** Addresses of token accounts that exist. */
  open: ReadonlySet<string>;
  /**
   * Mints of which no claim of the whole request pays tokens. An account that is opened for them is closed
   * again, whichever transaction lands first.
   */
  closable: ReadonlySet<string>;
}

export async function payableClaim(claim: Claim): Promise<PayableClaim> {
  const { claimer, base, quote } = claim;
  return {
    claim,
    base: await associatedAccount(claimer, base.mint, base.tokenProgram),
    quote: await associatedAccount(claimer, quote.mint, quote.tokenProgram),
  };
}

/** The mints of which none of these claims may pay tokens. */
export function closableMints(claims: readonly Claim[]): Set<string> {
  const paid = new Set(claims.filter(mayPayTokens).map(({ mint }) => mint));
  return new Set(claims.map(({ mint }) => mint).filter((mint) => !paid.has(mint)));
}

/** The instructions of one transaction, and at which of them its claims are, in their order. */
export interface ClaimTransaction {
  instructions: Instruction[];
  claimsAt: number;
  /** Accounts that are opened and stay open: the wallet pays their rent. */
  keptOpen: AssociatedAccount[];
}

/**
 * Opens what is missing, makes the claims, turns wrapped SOL into lamports and closes accounts that got
 * nothing. An account of wrapped SOL is closed in any case, as swaps do.
 *
 * @param reference makes the bytes unique: two equal transactions with the same blockhash would be one.
 */
export function claimTransaction(
  claims: readonly PayableClaim[],
  { wallet, open, closable }: ClaimerAccounts,
  reference: string,
): ClaimTransaction {
  const accounts = new Map(
    claims.flatMap((payable) =>
      namedSides(payable.claim).map((side) => [payable[side].address, payable[side]] as const),
    ),
  );
  const isWrapped = ({ mint }: AssociatedAccount) => mint === WRAPPED_SOL_MINT;
  const all = [...accounts.values()].toSorted(
    (one, other) => Number(isWrapped(other)) - Number(isWrapped(one)),
  );
  // The first one is opened in any case: the program ignores the reference among its accounts.
  const opened = all.filter((account, at) => at === 0 || isWrapped(account) || !open.has(account.address));
  const opens = opened.map((account) => openAssociatedAccount(wallet, account));
  const [first, ...others] = opens;
  if (first === undefined) throw new Error('a transaction of no claims');
  const missing = opened.filter((account) => !isWrapped(account) && !open.has(account.address));
  const closed = missing.filter(({ mint }) => closable.has(mint));
  return {
    instructions: [
      { ...first, accounts: [...first.accounts, readonly(reference)] },
      ...others,
      ...claims.map(({ claim, base, quote }) =>
        claimInstruction(claim, { base: base.address, quote: quote.address }),
      ),
      ...all.filter(isWrapped).map(unwrapSol),
      ...closed.map(closeAccount),
    ],
    claimsAt: opens.length,
    keptOpen: missing.filter(({ mint }) => !closable.has(mint)),
  };
}
