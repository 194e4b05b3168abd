import { ASSOCIATED_TOKEN, SYSTEM_PROGRAM } from '../../../chain/accounts/programs.ts';
import { openedAccountBytes } from '../../../chain/accounts/token-account.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../../chain/node-trust/first-current-response.ts';
import type { PayableClaim } from '../../../chain/pools/claims/instructions/claim-transaction.ts';
import type { RentSource } from '../../../chain/rent-source.ts';
import { type FundedAccount, getAccounts } from '../../../chain/rpc/account-calls.ts';
import type { Instruction } from '../../../chain/transactions/instruction.ts';
import { type Shortfall, solShortfall } from '../../../chain/transactions/shortfall.ts';
import type { AssociatedAccount } from '../../../chain/transactions/token-instructions.ts';
import { Problem } from '../../../shared/problem.ts';

/** What the wallet has, as a node reports it. */
export interface ClaimerState {
  /** Its token accounts that exist. */
  open: ReadonlySet<string>;
  /** Rent of accounts that are opened, in lamports. */
  rentOf(accounts: readonly AssociatedAccount[]): bigint;
  /** The lamports that the wallet lacks for these instructions and fees; null when it has enough, or nobody knows. */
  shortfall(instructions: readonly Instruction[], feeLamports: bigint): Shortfall | null;
}

export interface ClaimerDependencies extends CurrentReadDependencies {
  readRent: RentSource;
}

const TIMEOUT_MS = 3_000;
const ACCOUNTS_PER_CALL = 100;

/** Reads the wallet and its accounts for these claims, in calls of 100, or returns `chain_unavailable`. */
export async function readClaimer(
  nodes: ClaimerDependencies,
  wallet: string,
  claims: readonly PayableClaim[],
): Promise<ClaimerState | Problem> {
  const named = new Map(claims.flatMap(({ base, quote }) => [base, quote].map((one) => [one.address, one])));
  const addresses = [wallet, ...named.keys()];
  const found = new Map<string, FundedAccount | null>();
  for (let at = 0; at < addresses.length; at += ACCOUNTS_PER_CALL) {
    const some = addresses.slice(at, at + ACCOUNTS_PER_CALL);
    const response = await firstCurrentResponse(nodes, (rpc, minContextSlot) =>
      getAccounts(rpc, some, TIMEOUT_MS, minContextSlot),
    );
    if (!response.ok) return new Problem('chain_unavailable', { cause: new Error(response.failure.message) });
    for (const [address, account] of response.value.accounts) found.set(address, account);
  }
  const account = (address: string) => found.get(address) ?? null;
  const isOpen = (address: string) => (account(address)?.owner ?? SYSTEM_PROGRAM) !== SYSTEM_PROGRAM;
  const open = new Set([...named.keys()].filter(isOpen));
  const rentOfBytes = await nodes.readRent();
  if (rentOfBytes === null)
    return new Problem('chain_unavailable', { cause: new Error('no node shows the rent of accounts') });
  const rentOf = (accounts: readonly AssociatedAccount[]) =>
    accounts.reduce((sum, { tokenProgram }) => sum + rentOfBytes(openedAccountBytes(tokenProgram)), 0n);
  return {
    open,
    rentOf,
    shortfall(instructions, feeLamports) {
      const opened = instructions
        .filter(({ program }) => program === ASSOCIATED_TOKEN)
        .flatMap(({ accounts }) => named.get(accounts[1]?.address ?? '') ?? [])
        .filter(({ address }) => !open.has(address));
      // An account that does not exist has no lamports.
      const have = found.get(wallet) === null ? 0n : (account(wallet)?.lamports ?? null);
      return have === null ? null : solShortfall(have, feeLamports + rentOf(opened));
    },
  };
}
