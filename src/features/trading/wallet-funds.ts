import { SYSTEM_PROGRAM } from '../../chain/accounts/programs.ts';
import type { RentOf } from '../../chain/accounts/sysvars.ts';
import {
  openedAccountBytes,
  readTokenBalance,
  TOKEN_ACCOUNT_BYTES,
} from '../../chain/accounts/token-account.ts';
import { firstCurrentResponse } from '../../chain/node-trust/first-current-response.ts';
import { type AccountsInSlot, type FundedAccount, getAccounts } from '../../chain/rpc/account-calls.ts';
import { networkFee } from '../../chain/transactions/compute-budget.ts';
import { type Shortfall, solShortfall } from '../../chain/transactions/shortfall.ts';
import type { ClientGate } from '../../shared/gate.ts';
import type { OpenableAccount, WalletFunds } from './funds.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { SnapshotDependencies } from './pool-snapshots.ts';
import type { Quote } from './quote.ts';
import { swapAccounts } from './swap-instructions.ts';

/** Costs of the transaction besides the amount. */
export interface SwapCosts {
  computeUnits: number;
  /** Micro-lamports. */
  computeUnitPrice: bigint;
  tipLamports: bigint;
  platformFeeLamports: bigint;
}

const TIMEOUT_MS = 3_000;

/**
 * The funds of a wallet, from one request, and the rent; cached for a slot, as pools are, and shared by concurrent swaps.
 * Null when no node reports them: then the simulation, or the chain, decides.
 * @param slot a node that has not reached it does not respond
 */
export async function readWalletFunds(
  dependencies: SnapshotDependencies,
  wallet: string,
  facts: PoolFacts,
  place: ClientGate,
  slot = 0n,
): Promise<WalletFunds | null> {
  const { tradingCaches } = dependencies;
  const key = walletKey(wallet, facts);
  const load = async () => {
    const { addresses, fundsOf } = await fundsOfWallet(wallet, facts);
    const [response, rentOf] = await Promise.all([
      firstCurrentResponse(
        dependencies,
        (rpc, minContextSlot) => getAccounts(rpc, addresses, TIMEOUT_MS, minContextSlot),
        slot,
      ),
      dependencies.readRent(),
    ]);
    return response.ok ? fundsOf(response.value, rentOf) : null;
  };
  try {
    return await tradingCaches.wallets.get(key, load, place);
  } catch {
    // Mostly a full gate. Whatever failed, the swap has a place of its own: it continues without funds, and is simulated.
    return null;
  }
}

/** The accounts that say what a wallet has for swaps of a token, and how they are read. */
export async function fundsOfWallet(
  wallet: string,
  facts: PoolFacts,
): Promise<{ addresses: string[]; fundsOf(read: AccountsInSlot, rentOf: RentOf | null): WalletFunds }> {
  const { base, sol } = await swapAccounts(wallet, facts);
  return {
    addresses: [wallet, base.address, sol.address],
    fundsOf({ slot, accounts }, rentOf) {
      const account = (address: string) => accounts.get(address) ?? null;
      return {
        slot,
        lamports: (account(wallet) ?? { lamports: 0n }).lamports,
        tokenRaw: readTokenBalance(account(base.address), facts.mintAddress) ?? 0n,
        wrapped: openable(account(sol.address)),
        token: openable(account(base.address)),
        rentOf,
      };
    },
  };
}

/** Drops the cached funds of a wallet. */
export function forgetWalletFunds(
  { tradingCaches }: SnapshotDependencies,
  wallet: string,
  facts: PoolFacts,
): void {
  tradingCaches.wallets.drop(walletKey(wallet, facts));
}

function walletKey(wallet: string, { mintAddress }: PoolFacts): string {
  return `${wallet} ${mintAddress}`;
}

function openable(account: FundedAccount | null): OpenableAccount {
  if (account === null) return { isOpen: false, lamports: 0n };
  return { isOpen: account.owner !== SYSTEM_PROGRAM, lamports: account.lamports ?? 0n };
}

/**
 * The balance that is too low for a swap; null when there is none. A shortfall refuses nothing: the swap is
 * then simulated, and the chain's refusal names the missing amount. The transaction opens accounts, wraps the
 * maximum input, swaps, closes the account of wrapped SOL, pays the platform fee and the tip, in this order.
 */
export function shortfallOf(
  { request, amounts, snapshot: { facts } }: Quote,
  limitRaw: bigint,
  { lamports, tokenRaw, wrapped, token, rentOf }: WalletFunds,
  costs: SwapCosts,
): Shortfall | null {
  if (request.side === 'sell' && tokenRaw < amounts.inRaw) {
    const { mintAddress, decimals } = facts;
    return { mintAddress, decimals, haveRaw: tokenRaw, needRaw: amounts.inRaw };
  }
  if (lamports === null) return null;
  // While no node reports the rent, only what is missing before any rent is missing for certain.
  const rent = (account: OpenableAccount, bytes: number) =>
    account.isOpen || rentOf === null ? 0n : above(rentOf(bytes), account.lamports);
  const walletRent = rentOf?.(0) ?? 0n;
  const fee = networkFee(costs.computeUnits, costs.computeUnitPrice);
  const wrappedRent = rent(wrapped, TOKEN_ACCOUNT_BYTES);
  const needRaw = fee + (request.side === 'sell' ? wrappedRent : buyLamports());
  return solShortfall(lamports, needRaw);

  function buyLamports(): bigint {
    const paid = request.mode === 'exact_in' ? amounts.inRaw : limitRaw;
    // Unused wrapped SOL and the rent of its account return before fee and tip are paid and the wallet has to
    // hold its own rent.
    const returned = wrapped.lamports + wrappedRent + (paid - amounts.inRaw);
    const afterwards = costs.platformFeeLamports + costs.tipLamports + walletRent;
    return (
      paid + rent(token, openedAccountBytes(facts.tokenProgram)) + wrappedRent + above(afterwards, returned)
    );
  }
}

function above(value: bigint, other: bigint): bigint {
  return value > other ? value - other : 0n;
}
