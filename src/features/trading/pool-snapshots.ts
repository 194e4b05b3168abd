import { CLOCK_SYSVAR } from '../../chain/accounts/programs.ts';
import { readChainTime } from '../../chain/accounts/sysvars.ts';
import type { ChainHeadSource } from '../../chain/head.ts';
import type { CurrentReadDependencies } from '../../chain/node-trust/first-current-response.ts';
import { type CurvePool, readCurvePool } from '../../chain/pools/curve/pool-account.ts';
import {
  type DammPoolState,
  readDammPoolKeys,
  readDammPoolState,
} from '../../chain/pools/damm/pool-account.ts';
import type { PoolClock } from '../../chain/pools/swap-request.ts';
import type { RentSource } from '../../chain/rent-source.ts';
import type { AccountsInSlot } from '../../chain/rpc/account-calls.ts';
import type { Database } from '../../db/client.ts';
import type { ClientGate, Gate, GateClient } from '../../shared/gate.ts';
import { KeyedLoads } from '../../shared/keyed-loads.ts';
import { wait } from '../../shared/loop.ts';
import { Problem } from '../../shared/problem.ts';
import { findListedToken, type ListedToken } from './find-listed-token.ts';
import type { WalletFunds } from './funds.ts';
import {
  type MissingCurve,
  type PoolFacts,
  type PoolPlace,
  readAccounts,
  readPoolFacts,
} from './pool-facts.ts';
import { notTradable } from './refusals.ts';

/** A token's pools in one slot. */
export interface PoolSnapshot {
  readonly token: ListedToken;
  readonly facts: PoolFacts;
  readonly clock: PoolClock;
  readonly curve: CurvePool;
  /** Null before there is an AMM pool. */
  readonly amm: { readonly state: DammPoolState; readonly keys: AmmKeys } | null;
  /** The chain's time of that slot, in whole seconds. */
  readonly asOf: Date;
}

export type AmmKeys = NonNullable<ReturnType<typeof readDammPoolKeys>>;

/** Caches between quotes, each bounded in number and age. */
export interface TradingCaches {
  tokens: KeyedLoads<ListedToken | null>;
  /** By `factsKey`. */
  facts: KeyedLoads<PoolFacts | MissingCurve>;
  snapshots: KeyedLoads<PoolSnapshot>;
  /** By wallet and mint. */
  wallets: KeyedLoads<WalletFunds | null>;
}

export interface SnapshotDependencies extends CurrentReadDependencies {
  database: Database;
  readRent: RentSource;
  tradingCaches: TradingCaches;
  /** For quotes, which need no key. */
  quoteGate: Gate;
  /** For swaps, which need a key: many quotes cannot take their places. */
  swapGate: Gate;
}

const TOKENS_KEPT_MS = 5_000;
/** Facts never change. They are read again after this time, in case a node returned wrong ones. */
const FACTS_KEPT_MS = 10 * 60_000;
// Facts have about 5 KB each, snapshots 2 KB.
const TOKENS_MAX = 10_000;
const FACTS_MAX = 2_000;
const SNAPSHOTS_MAX = 4_000;
// About 300 bytes each.
const WALLETS_MAX = 10_000;
/** A token whose record changed within this time may have a pool that the node has not seen yet. */
const NEW_MS = 10_000;
/** Together longer than the lag between synchronised nodes, and than the confirmation of a block. */
const LOOKS_MAX = 15;
const LOOK_EVERY_MS = 100;
/**
 * Requests of a process that wait for a pool: all, those of clients without a key, and those of one client. Further ones
 * are refused at once.
 */
const WAITING_MAX = { all: 500, anonymous: 375, each: 50 } as const;

export function createTradingCaches(chainHead: ChainHeadSource): TradingCaches {
  // A read of an earlier slot may be out of date.
  const slotMs = () => chainHead.pace().slotMs;
  return {
    tokens: new KeyedLoads({ maxAgeMs: TOKENS_KEPT_MS, entriesMax: TOKENS_MAX }),
    facts: new KeyedLoads({ maxAgeMs: FACTS_KEPT_MS, entriesMax: FACTS_MAX }),
    snapshots: new KeyedLoads({
      maxAgeMs: slotMs,
      entriesMax: SNAPSHOTS_MAX,
      isCurrent: ({ clock }) => (chainHead.current()?.slot ?? 0n) <= clock.slot + 1n,
    }),
    wallets: new KeyedLoads({ maxAgeMs: slotMs, entriesMax: WALLETS_MAX }),
  };
}

/** Facts are those of a pool as the pool of a token: another token may be registered with the same address. */
export const factsKey = ({ mintAddress, poolAddress }: PoolPlace) => `${mintAddress} ${poolAddress}`;

/** Cached facts of a token's pool; undefined when something has to be read. */
export function knownFacts({ tokens, facts }: TradingCaches, mint: string): PoolFacts | undefined {
  const poolAddress = tokens.kept(mint)?.poolAddress ?? null;
  const known = poolAddress === null ? undefined : facts.kept(factsKey({ mintAddress: mint, poolAddress }));
  return typeof known === 'object' ? known : undefined;
}

/** Statuses of a token that may have a pool which a node does not show yet. */
const newStatuses: readonly ListedToken['status'][] = ['bonding', 'pending_launch_init'];
/** The clients of the requests that wait for a pool now, one entry for each request. */
const waiting: GateClient[] = [];
const never = new AbortController().signal;

/**
 * Like `lookAtPool`, but waits for a pool that a node does not show yet: it was announced a moment ago, or
 * the node lags a few slots. It holds no place of a gate while it waits (contract/trading#new-pools).
 */
export async function takePoolSnapshot(
  dependencies: SnapshotDependencies,
  mint: string,
  place: ClientGate,
): Promise<PoolSnapshot> {
  for (let looks = 1; ; looks += 1) {
    try {
      return await lookAtPool(dependencies, mint, place);
    } catch (error) {
      const mayAppear = looks < LOOKS_MAX && isUnseen(error) && hasRoom(place.client);
      if (!mayAppear || !isNew(dependencies, mint)) throw error;
    }
    waiting.push(place.client);
    try {
      await wait(LOOK_EVERY_MS, never);
    } finally {
      waiting.splice(waiting.indexOf(place.client), 1);
    }
  }
}

function hasRoom({ name, isKeyed }: GateClient): boolean {
  const isFull = waiting.length >= (isKeyed ? WAITING_MAX.all : WAITING_MAX.anonymous);
  return !isFull && waiting.filter((one) => one.name === name).length < WAITING_MAX.each;
}

function isUnseen(error: unknown): boolean {
  return (
    error instanceof Problem &&
    error.code === 'token_not_tradable' &&
    error.facts.context?.reason === 'not_launched'
  );
}

/**
 * Whether the token's record, with a pool, changed a moment ago, or its launch landed then. The record is cached, so
 * further looks cost no statement.
 */
function isNew({ tradingCaches, clock }: SnapshotDependencies, mint: string): boolean {
  const token = tradingCaches.tokens.kept(mint);
  if (token == null || token.poolAddress === null || !newStatuses.includes(token.status)) return false;
  return clock.now().getTime() - token.updatedAt.getTime() < NEW_MS;
}

/**
 * The token's pools, at most one slot old; concurrent callers at the same gate share the request. Throws
 * `token_not_found`, `token_not_tradable` when there is no pool, `chain_unavailable`, or the refusal of the
 * gate.
 */
async function lookAtPool(
  dependencies: SnapshotDependencies,
  mint: string,
  place: ClientGate,
): Promise<PoolSnapshot> {
  const { tradingCaches } = dependencies;
  const token = await knownToken(dependencies, mint, place);
  if (token === null) throw new Problem('token_not_found');
  const { poolAddress } = token;
  if (poolAddress === null) throw notTradable(token, 'not_launched');
  const load = async () => {
    const pool = { mintAddress: mint, poolAddress };
    const facts = await tradingCaches.facts.get(factsKey(pool), () => readPoolFacts(dependencies, pool));
    if (typeof facts === 'string') {
      // The pool may be there a moment later.
      tradingCaches.facts.drop(factsKey(pool));
      throw notTradable(token, facts);
    }
    return readSnapshot(dependencies, token, facts);
  };
  return tradingCaches.snapshots.get(mint, load, place);
}

/**
 * The cached token. A missing token or pool counts only when this request looked it up, because it may exist
 * by now.
 */
async function knownToken(
  { database, tradingCaches: { tokens } }: SnapshotDependencies,
  mint: string,
  place: ClientGate,
): Promise<ListedToken | null> {
  let isOwn = false;
  const lookUp = () => {
    isOwn = true;
    return findListedToken(database, mint);
  };
  const token = await tokens.get(mint, lookUp, place);
  if (isOwn || (token !== null && token.poolAddress !== null)) return token;
  tokens.drop(mint);
  return tokens.get(mint, lookUp, place);
}

async function readSnapshot(
  nodes: CurrentReadDependencies,
  token: ListedToken,
  facts: PoolFacts,
): Promise<PoolSnapshot> {
  return snapshotOf(token, facts, await readAccounts(nodes, snapshotAddresses(facts)));
}

/** The accounts of which a snapshot is made. */
export function snapshotAddresses({ curve, amm }: PoolFacts): string[] {
  return [curve.address, CLOCK_SYSVAR, ...(amm === null ? [] : [amm.ammPoolAddress])];
}

/** The token's pools in the slot of the accounts. Throws `token_not_tradable` or `chain_unavailable`. */
export function snapshotOf(
  token: ListedToken,
  facts: PoolFacts,
  { slot, accounts }: AccountsInSlot,
): PoolSnapshot {
  const curve = readCurvePool(accounts.get(facts.curve.address) ?? null);
  if (curve === null) throw notTradable(token, 'not_launched');
  const asOf = readChainTime(accounts.get(CLOCK_SYSVAR) ?? null);
  // Every chain has a clock account: a node without it shows another state.
  if (asOf === null) throw new Problem('chain_unavailable', { cause: new Error('no clock of the chain') });
  const ammAddress = facts.amm?.ammPoolAddress;
  const ammAccount = ammAddress === undefined ? null : (accounts.get(ammAddress) ?? null);
  const [state, keys] = [readDammPoolState(ammAccount), readDammPoolKeys(ammAccount)];
  return {
    token,
    facts,
    clock: { slot, unixSeconds: BigInt(asOf.getTime() / 1_000) },
    curve,
    amm: state === null || keys === null ? null : { state, keys },
    asOf,
  };
}
