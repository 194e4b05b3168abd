import { SYSTEM_PROGRAM } from '../../chain/accounts/programs.ts';
import type { RentOf } from '../../chain/accounts/sysvars.ts';
import type { FundedAccount } from '../../chain/rpc/account-calls.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import { transferLamports } from '../../chain/transactions/tip.ts';
import { Problem } from '../../shared/problem.ts';
import type { PlatformFee } from './platform-fee.ts';

/** The payment of a platform fee. Empty for a fee of nothing: its rate of a small amount rounds to zero. */
export function feeInstructions(
  wallet: string,
  feeAccount: string | null,
  fee: PlatformFee | null,
): Instruction[] {
  if (feeAccount === null || fee === null || fee.lamports === 0n) return [];
  return [transferLamports(wallet, feeAccount, fee.lamports)];
}

/** Why an account cannot get platform fees; null when it can. */
export function feeAccountFault(account: FundedAccount | null, rentOf: RentOf): string | null {
  const rent = rentOf(0);
  if (account === null || (account.lamports !== null && account.lamports < rent))
    return `holds less than the rent of ${rent} lamports, and could not take a small fee`;
  if (account.owner !== SYSTEM_PROGRAM || account.data.length > 0)
    return 'is an account of a program: only a plain account can be moved out of again';
  return null;
}

/** The problem of a payment that would leave the fee account below its rent. */
export function feeBelowRent(feeAccount: string, { lamports }: PlatformFee): Problem {
  return unusable('not_rent_exempt', {
    feeAccount,
    feeLamports: String(lamports),
    detail: 'The account of the platform fee would hold less than its rent: it must be funded first.',
  });
}

/** Throws when the wallet would pay itself: the quote would promise an output that it does not get. */
export function requireOther(feeAccount: string, wallet: string): void {
  if (feeAccount !== wallet) return;
  throw unusable('is_the_wallet', {
    feeAccount,
    detail: 'The account of the platform fee is the wallet that swaps.',
  });
}

function unusable(
  reason: 'not_rent_exempt' | 'is_the_wallet',
  { detail, ...facts }: { detail: string } & Record<string, string>,
): Problem {
  return new Problem('platform_fee_account_unusable', { detail, context: { reason, ...facts } });
}
