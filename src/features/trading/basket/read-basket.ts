import { CLOCK_SYSVAR } from '../../../chain/accounts/programs.ts';
import { readChainTime } from '../../../chain/accounts/sysvars.ts';
import { readTokenBalance } from '../../../chain/accounts/token-account.ts';
import type { GateClient } from '../../../shared/gate.ts';
import { Problem } from '../../../shared/problem.ts';
import { findListedTokens, type ListedToken } from '../find-listed-token.ts';
import {
  type MissingCurve,
  type PoolFacts,
  type PoolPlace,
  readAccounts,
  readManyPoolFacts,
} from '../pool-facts.ts';
import {
  factsKey,
  type PoolSnapshot,
  type SnapshotDependencies,
  snapshotAddresses,
  snapshotOf,
} from '../pool-snapshots.ts';
import { notTradable } from '../refusals.ts';
import { swapAccounts } from '../swap-instructions.ts';
import { ownProblemOr } from './basket-orders.ts';

/** A token in the slot of a basket. */
export interface BasketEntry {
  snapshot: PoolSnapshot;
  /** The wallet's tokens in that slot; 0 without a wallet. */
  balanceRaw: bigint;
}

/** Tokens in one slot, or the problem of each. */
export interface Basket {
  slot: bigint;
  asOf: Date;
  entries: ReadonlyMap<string, BasketEntry | Problem>;
}

/**
 * The pools of tokens, and a wallet's balances, from one request: all of one slot, and shared with nobody. What
 * is not known of the tokens costs one statement and two requests before it. It waits for no pool that a node
 * does not show yet. Throws `chain_unavailable` or the refusal of the gate.
 */
export function readBasket(
  dependencies: SnapshotDependencies,
  mints: readonly string[],
  wallet: string | undefined,
  client: GateClient,
): Promise<Basket> {
  return dependencies.quoteGate.run(client, async () => {
    const pools = await knownPools(dependencies, mints);
    const readable: ReadablePool[] = [];
    for (const pool of pools.values())
      if (!(pool instanceof Problem)) readable.push(await withAddresses(pool, wallet));
    const addresses = new Set([CLOCK_SYSVAR, ...readable.flatMap((pool) => pool.addresses)]);
    const read = await readAccounts(dependencies, [...addresses]);
    const asOf = readChainTime(read.accounts.get(CLOCK_SYSVAR) ?? null);
    if (asOf === null) throw new Problem('chain_unavailable', { cause: new Error('no clock of the chain') });
    const entries = new Map<string, BasketEntry | Problem>();
    for (const [mint, pool] of pools) if (pool instanceof Problem) entries.set(mint, pool);
    for (const { token, facts, balanceAddress } of readable) {
      const account = balanceAddress === null ? null : (read.accounts.get(balanceAddress) ?? null);
      const entry = ownProblemOr(() => ({
        snapshot: snapshotOf(token, facts, read),
        balanceRaw: readTokenBalance(account, facts.mintAddress) ?? 0n,
      }));
      entries.set(token.mintAddress, entry);
    }
    return { slot: read.slot, asOf, entries };
  });
}

interface KnownPool {
  token: ListedToken;
  facts: PoolFacts;
}

/** A pool with the addresses of the accounts to read for it. */
interface ReadablePool extends KnownPool {
  addresses: string[];
  /** The wallet's account for the token; null without a wallet. */
  balanceAddress: string | null;
}

async function withAddresses({ token, facts }: KnownPool, wallet: string | undefined): Promise<ReadablePool> {
  const addresses = snapshotAddresses(facts);
  if (wallet === undefined) return { token, facts, addresses, balanceAddress: null };
  const { base } = await swapAccounts(wallet, facts);
  return { token, facts, addresses: [...addresses, base.address], balanceAddress: base.address };
}

/** The pool of each token, or its problem. */
async function knownPools(
  dependencies: SnapshotDependencies,
  mints: readonly string[],
): Promise<ReadonlyMap<string, KnownPool | Problem>> {
  const tokens = await knownTokens(dependencies, mints);
  const facts = await knownFactsOf(dependencies, [...tokens.values()].flatMap(placeOf));
  return new Map(mints.map((mint) => [mint, poolOf(tokens.get(mint), facts)]));
}

function poolOf(
  token: ListedToken | undefined,
  facts: ReadonlyMap<string, PoolFacts | MissingCurve>,
): KnownPool | Problem {
  if (token === undefined) return new Problem('token_not_found');
  const known =
    token.poolAddress === null ? 'not_launched' : (facts.get(token.poolAddress) ?? 'not_launched');
  return typeof known === 'string' ? notTradable(token, known) : { token, facts: known };
}

function placeOf({ mintAddress, poolAddress }: ListedToken): PoolPlace[] {
  return poolAddress === null ? [] : [{ mintAddress, poolAddress }];
}

/** Tokens by mint. A cached token without a pool is read again, because it may have a pool by now. */
async function knownTokens(
  { database, tradingCaches: { tokens } }: SnapshotDependencies,
  mints: readonly string[],
): Promise<ReadonlyMap<string, ListedToken>> {
  const known = new Map<string, ListedToken>();
  for (const mint of mints) {
    const token = tokens.kept(mint);
    if (token != null && token.poolAddress !== null) known.set(mint, token);
  }
  const missing = mints.filter((mint) => !known.has(mint));
  if (missing.length === 0) return known;
  const found = await findListedTokens(database, missing);
  for (const [mint, token] of found) {
    known.set(mint, token);
    await tokens.get(mint, async () => token);
  }
  return known;
}

/** Facts by the address of the pool. */
async function knownFactsOf(dependencies: SnapshotDependencies, places: readonly PoolPlace[]) {
  const { facts } = dependencies.tradingCaches;
  const known = new Map<string, PoolFacts | MissingCurve>();
  for (const place of places) {
    const kept = facts.kept(factsKey(place));
    if (typeof kept === 'object') known.set(place.poolAddress, kept);
  }
  const missing = places.filter(({ poolAddress }) => !known.has(poolAddress));
  if (missing.length === 0) return known;
  for (const [poolAddress, read] of await readManyPoolFacts(dependencies, missing)) {
    known.set(poolAddress, read);
    // A pool that is missing may be there a moment later.
    if (typeof read !== 'object') continue;
    const { mintAddress } = read;
    await facts.get(factsKey({ mintAddress, poolAddress }), async () => read);
  }
  return known;
}
