import type { ClientGate } from '../../shared/gate.ts';
import type { WalletFunds } from './funds.ts';
import { readAccounts } from './pool-facts.ts';
import {
  knownFacts,
  type PoolSnapshot,
  type SnapshotDependencies,
  snapshotAddresses,
  snapshotOf,
  takePoolSnapshot,
} from './pool-snapshots.ts';
import { isShare, type SwapTerms } from './swap-terms.ts';
import { fundsOfWallet, readWalletFunds } from './wallet-funds.ts';

/** What a swap of a wallet is computed from. */
export interface SwapState {
  snapshot: PoolSnapshot;
  /** The wallet's tokens in the slot of the snapshot; 0 where no amount depends on it. */
  balanceRaw: bigint;
  /** Null when no node reports them. */
  funds: Promise<WalletFunds | null>;
}

/**
 * Pool and wallet of a swap. The amount of a share needs both in one slot, so they come from one request,
 * which is not shared with others: a wallet sells what it got a moment ago.
 */
export async function readSwapState(
  dependencies: SnapshotDependencies,
  { wallet, mint, terms }: { wallet: string; mint: string; terms: SwapTerms },
  place: ClientGate,
): Promise<SwapState> {
  if (isShare(terms)) {
    const { snapshot, funds } = await readInOneSlot(dependencies, { wallet, mint }, place);
    return { snapshot, balanceRaw: funds.tokenRaw, funds: Promise.resolve(funds) };
  }
  // Read in parallel with the pool, so that it adds no time; the first swap of a token knows its addresses
  // only afterwards.
  const facts = knownFacts(dependencies.tradingCaches, mint);
  const reading = facts && readWalletFunds(dependencies, wallet, facts, place);
  const snapshot = await takePoolSnapshot(dependencies, mint, place);
  const funds = reading ?? readWalletFunds(dependencies, wallet, snapshot.facts, place);
  return { snapshot, balanceRaw: 0n, funds };
}

/**
 * The pools of a token and the funds of a wallet in one slot. Throws the problems of `takePoolSnapshot`.
 */
export async function readInOneSlot(
  dependencies: SnapshotDependencies,
  { wallet, mint }: { wallet: string; mint: string },
  place: ClientGate,
): Promise<{ snapshot: PoolSnapshot; funds: WalletFunds }> {
  const { token, facts } = await knownPool(dependencies, mint, place);
  const { addresses, fundsOf } = await fundsOfWallet(wallet, facts);
  const [read, rentOf] = await place.run(() =>
    Promise.all([
      readAccounts(dependencies, [...snapshotAddresses(facts), ...addresses]),
      dependencies.readRent(),
    ]),
  );
  return { snapshot: snapshotOf(token, facts, read), funds: fundsOf(read, rentOf) };
}

/** The token with its pool, which never changes: from the caches, or from a snapshot. */
async function knownPool(
  dependencies: SnapshotDependencies,
  mint: string,
  place: ClientGate,
): Promise<Pick<PoolSnapshot, 'token' | 'facts'>> {
  const { tradingCaches } = dependencies;
  const [token, facts] = [tradingCaches.tokens.kept(mint), knownFacts(tradingCaches, mint)];
  return token && facts ? { token, facts } : takePoolSnapshot(dependencies, mint, place);
}
