import { readChainTime } from '../../chain/accounts/clock-sysvar.ts';
import { CLOCK_SYSVAR } from '../../chain/accounts/programs.ts';
import type { ChainHeadSource } from '../../chain/head.ts';
import type { CurrentReadDependencies } from '../../chain/node-trust/first-current-response.ts';
import { type CurvePool, readCurvePool } from '../../chain/pools/curve/pool-account.ts';
import {
  type DammPoolState,
  readDammPoolKeys,
  readDammPoolState,
} from '../../chain/pools/damm/pool-account.ts';
import type { PoolClock } from '../../chain/pools/swap-request.ts';
import type { Database } from '../../db/client.ts';
import { KeyedLoads } from '../../shared/keyed-loads.ts';
import { Problem } from '../../shared/problem.ts';
import { findListedToken, type ListedToken } from './find-listed-token.ts';
import { type MissingCurve, type PoolFacts, readAccounts, readPoolFacts } from './pool-facts.ts';

/** A token's pools as they were in one slot. */
export interface PoolSnapshot {
  token: ListedToken;
  facts: PoolFacts;
  clock: PoolClock;
  curve: CurvePool;
  /** Null: there is no AMM pool yet. */
  amm: { state: DammPoolState; keys: AmmKeys } | null;
  /** The chain's time of that slot, in whole seconds. */
  asOf: Date;
}

export type AmmKeys = NonNullable<ReturnType<typeof readDammPoolKeys>>;

/** Bounds what a process may load at once; the api's gates are such. */
export interface Gate {
  run<Value>(load: () => Promise<Value>): Promise<Value>;
}

/** What is kept between quotes, each bounded in number and age. */
export interface TradingCaches {
  tokens: KeyedLoads<ListedToken | null>;
  facts: KeyedLoads<PoolFacts | MissingCurve>;
  snapshots: KeyedLoads<PoolSnapshot>;
}

export interface SnapshotDependencies extends CurrentReadDependencies {
  database: Database;
  tradingCaches: TradingCaches;
  /** For quotes, which anybody may ask for. */
  quoteGate: Gate;
  /** For swaps, which need a key: no crowd of quotes takes their room. */
  swapGate: Gate;
}

const TOKENS_KEPT_MS = 5_000;
/** What never changes is read again now and then all the same, in case a node told nonsense. */
const FACTS_KEPT_MS = 10 * 60_000;
/** The length of a slot: what was read longer ago may be older than one. */
const SLOT_MS = 400;
// Facts are some 5 KB each, snapshots 2 KB.
const TOKENS_MAX = 10_000;
const FACTS_MAX = 2_000;
const SNAPSHOTS_MAX = 4_000;

export function createTradingCaches(chainHead: ChainHeadSource): TradingCaches {
  return {
    tokens: new KeyedLoads({ maxAgeMs: TOKENS_KEPT_MS, entriesMax: TOKENS_MAX }),
    facts: new KeyedLoads({ maxAgeMs: FACTS_KEPT_MS, entriesMax: FACTS_MAX }),
    snapshots: new KeyedLoads({
      maxAgeMs: SLOT_MS,
      entriesMax: SNAPSHOTS_MAX,
      isCurrent: ({ clock }) => (chainHead.current()?.slot ?? 0n) <= clock.slot + 1n,
    }),
  };
}

/**
 * The token's pools, at most one slot old; concurrent callers with the same purpose share the request. Throws
 * `token_not_found`, `token_not_tradable` when there is no pool, `chain_unavailable`, or what the gate refuses with.
 */
export async function takePoolSnapshot(
  dependencies: SnapshotDependencies,
  mint: string,
  purpose: 'quote' | 'swap',
): Promise<PoolSnapshot> {
  const { database, tradingCaches } = dependencies;
  const gate = purpose === 'swap' ? dependencies.swapGate : dependencies.quoteGate;
  const token = await tradingCaches.tokens.get(
    mint,
    () => gate.run(() => findListedToken(database, mint)),
    purpose,
  );
  if (token === null) throw new Problem('token_not_found');
  const { poolAddress } = token;
  if (poolAddress === null) throw notTradable(token, 'not_launched');
  const load = async () => {
    const facts = await tradingCaches.facts.get(poolAddress, () =>
      readPoolFacts(dependencies, mint, poolAddress),
    );
    if (typeof facts === 'string') {
      // It may be there a moment later.
      tradingCaches.facts.drop(poolAddress);
      throw notTradable(token, facts);
    }
    return readSnapshot(dependencies, token, facts);
  };
  return tradingCaches.snapshots.get(mint, () => gate.run(load), purpose);
}

async function readSnapshot(
  nodes: CurrentReadDependencies,
  token: ListedToken,
  facts: PoolFacts,
): Promise<PoolSnapshot> {
  const ammAddress = facts.amm?.ammPoolAddress;
  const addresses = [facts.curve.address, CLOCK_SYSVAR, ...(ammAddress === undefined ? [] : [ammAddress])];
  const { slot, accounts } = await readAccounts(nodes, addresses);
  const curve = readCurvePool(accounts.get(facts.curve.address) ?? null);
  if (curve === null) throw notTradable(token, 'not_launched');
  const asOf = readChainTime(accounts.get(CLOCK_SYSVAR) ?? null);
  // Every chain has its clock: a node without it shows something else.
  if (asOf === null) throw new Problem('chain_unavailable', { cause: new Error('no clock of the chain') });
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

/** Why a token cannot be traded now (contract/trading#not-tradable). */
export const untradableReasons = [
  'not_launched',
  'migrating',
  'amm_unsupported',
  'quote_token_unsupported',
  'pool_disabled',
  'pool_refuses',
] as const;

export function notTradable(
  { status }: ListedToken,
  reason: (typeof untradableReasons)[number],
  facts: Readonly<Record<string, unknown>> = {},
): Problem {
  return new Problem('token_not_tradable', { context: { status, reason, ...facts } });
}
