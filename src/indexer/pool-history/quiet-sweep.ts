import { fieldsOf } from '../../chain/accounts/account-data.ts';
import { BONDING_CURVE, CLOCK_SYSVAR, DAMM_V2 } from '../../chain/accounts/programs.ts';
import { type AccountsInSlot, getAccounts } from '../../chain/rpc/account-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { SLOT_LEAD_MAX } from '../../chain/streams/stream-watch.ts';
import type { Logger } from '../../shared/log.ts';
import { wait } from '../../shared/loop.ts';
import type { SteadyTime } from '../../shared/steady-time.ts';
import type { WakeUpSources } from '../wake-ups/wake-up-sources.ts';
import { hashAccount } from '../wake-ups/wake-up-stream.ts';
import { type NodeSet, NodeUnavailable } from './node-backoff.ts';
import type { PolledPool } from './polled-pool.ts';
import type { Sight, SightVerdict } from './pool-sights.ts';
import type { RequestBudget } from './request-budget.ts';

/**
 * Pools of which it is proven that nothing traded in them from their cursors through `slot`: their accounts held, at that slot, the very bytes
 * that they held when everything through an earlier slot had been read. Every swap, change of liquidity, completion and
 * migration changes the bytes of the pool's account (reserves, price or fee counters that only grow). Not so in DAMM v1,
 * whose pools are never among them.
 *
 * What it does not cover: transactions that leave the pool's account alone, such as the claim of a DAMM position's fees.
 * Those are found by the next walk of the pool.
 */
export interface QuietProof {
  poolAddresses: readonly string[];
  /** The slot of the bank that served the accounts, believed as far as the chain head is. */
  slot: bigint;
  /** Unix time of that slot, by the chain's own clock account, read in the same request. */
  time: Date;
}

/** Called with every proof, in the order in which they are made; must not throw. At most 99 pools at a time. */
export type OnQuietPoolsProven = (proof: QuietProof) => void;

/** A pool counts as active for this time after news. */
const ACTIVE_MS = 60_000;
/** getMultipleAccounts takes 100 addresses, one of which is the clock. */
const POOLS_PER_REQUEST = 99;
/** Part of the budget that sweeps of all pools may take while nothing wakes them, and while something does. */
const SHARE = { silent: 0.4, live: 0.1 };
const SHORTEST_MS = { silent: 500, live: 5_000 };
/** Active pools are a small part of all: they are looked at more often. */
const ACTIVE_DIVISOR = 6;

/**
 * How soon a pool's account is looked at again. While wake-ups come, the sweep only finds what they missed; without them
 * it is what finds trades. At 10,000 pools and 32 requests a second: 32 s live and 7.9 s without wake-ups, and a sixth for active pools.
 */
export function sweepIntervalMs({
  isLive,
  quietMs,
  poolCount,
  requestsPerSecond,
}: {
  isLive: boolean;
  quietMs: number;
  poolCount: number;
  requestsPerSecond: number;
}): number {
  const mode = isLive ? 'live' : 'silent';
  const requests = Math.ceil(poolCount / POOLS_PER_REQUEST);
  const affordableMs = (requests / (requestsPerSecond * SHARE[mode])) * 1_000;
  const allMs = Math.max(SHORTEST_MS[mode], affordableMs);
  return quietMs < ACTIVE_MS ? Math.max(SHORTEST_MS[mode], allMs / ACTIVE_DIVISOR) : allMs;
}

const CLOCK_SLOT = 0;
const CLOCK_UNIX_TIMESTAMP = 32;
const TIMEOUT_MS = 4_000;
const TICK_MS = 250;
/** Programs whose pools change with every trade. A swap of DAMM v1 moves shares of vaults and may leave its pool as it was. */
const OWNERS: ReadonlySet<string> = new Set([BONDING_CURVE, DAMM_V2]);

export interface QuietSweepDependencies {
  nodes: NodeSet;
  budget: RequestBudget;
  wakeUps: WakeUpSources;
  /** Slot of the chain head that this process believes; null while it knows none. */
  head(): bigint | null;
  onQuietPoolsProven: OnQuietPoolsProven;
  pools: ReadonlyMap<string, PolledPool>;
  see(pool: PolledPool, sight: Sight): SightVerdict;
  log: Logger;
  time: SteadyTime;
  signal: AbortSignal;
}

/** Looks at the accounts of all pools again and again, 99 a request, until the signal aborts. Never throws. */
export async function runQuietSweep(dependencies: QuietSweepDependencies): Promise<void> {
  const { signal, log, time } = dependencies;
  let turn = 0;
  let failures = 0;
  while (!signal.aborted) {
    for (const batch of dueBatches(dependencies, time.nowMs())) {
      if (signal.aborted) return;
      turn += 1;
      try {
        if (await sweepBatch(dependencies, batch, turn)) failures = 0;
      } catch (err) {
        failures += 1;
        log[failures === 1 ? 'error' : 'debug']({ err, failures }, 'indexer.sweep_failed');
      }
    }
    await wait(time.timerMs(TICK_MS), signal);
  }
}

/** Pools that are due, those that were due first in front; the last request takes some that are due next. */
function dueBatches({ pools, budget, wakeUps }: QuietSweepDependencies, nowMs: number): PolledPool[][] {
  const swept = [...pools.values()].filter(({ pool }) => pool.venue !== 'damm_v1');
  const sorted = swept.sort((left, right) => left.sweepAtMs - right.sweepAtMs);
  const dueCount = sorted.findIndex(({ sweepAtMs }) => sweepAtMs > nowMs);
  const due = dueCount === -1 ? sorted.length : dueCount;
  const batches: PolledPool[][] = [];
  for (let from = 0; from < due; from += POOLS_PER_REQUEST)
    batches.push(sorted.slice(from, from + POOLS_PER_REQUEST));
  for (const pool of batches.flat()) {
    pool.sweepEveryMs = sweepIntervalMs({
      isLive: wakeUps.isLive,
      quietMs: nowMs - pool.lastActiveAtMs,
      poolCount: sorted.length,
      requestsPerSecond: budget.perSecond,
    });
    pool.sweepAtMs = nowMs + pool.sweepEveryMs;
  }
  return batches;
}

/** True when a node served the accounts. */
async function sweepBatch(
  dependencies: QuietSweepDependencies,
  batch: readonly PolledPool[],
  turn: number,
): Promise<boolean> {
  const { nodes, head, log } = dependencies;
  // The chain's clock dates what the same request shows.
  const addresses = [CLOCK_SYSVAR, ...batch.map(({ pool }) => pool.poolAddress)];
  for (const rpc of nodes.available(turn)) {
    try {
      const shown = await nodes.call(rpc, (node) => accountsOf(node, addresses));
      const headSlot = head();
      if (headSlot !== null && shown.slot > headSlot + SLOT_LEAD_MAX) {
        log.warn(
          { node: rpc.name, slot: String(shown.slot), head: String(headSlot) },
          'indexer.sweep_slot_ignored',
        );
        continue;
      }
      takeSights(dependencies, batch, shown);
      return true;
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error;
    }
  }
  return false;
}

async function accountsOf(rpc: ChainRpc, addresses: readonly string[]) {
  const outcome = await getAccounts(rpc, addresses, TIMEOUT_MS);
  return outcome.ok ? outcome : { ...outcome, retryAfterMs: null };
}

function takeSights(
  { see, onQuietPoolsProven }: QuietSweepDependencies,
  batch: readonly PolledPool[],
  shown: AccountsInSlot,
): void {
  const { slot, accounts } = shown;
  const quiet: string[] = [];
  for (const pool of batch) {
    const { poolAddress } = pool.pool;
    const account = accounts.get(poolAddress) ?? null;
    // What is no account of these programs shows nothing: its pool goes on being walked.
    if (account === null || !OWNERS.has(account.owner)) continue;
    const verdict = see(pool, { slot, hash: hashAccount(account.data), isExact: false });
    if (verdict === 'quiet') quiet.push(poolAddress);
  }
  const time = timeAt(shown);
  if (time !== null && quiet.length > 0) onQuietPoolsProven({ poolAddresses: quiet, slot, time });
}

/** The chain's time at the slot of the response; null when its clock does not show that slot. */
function timeAt({ slot, accounts }: AccountsInSlot): Date | null {
  const clock = accounts.get(CLOCK_SYSVAR) ?? null;
  if (clock === null || clock.data.length < CLOCK_UNIX_TIMESTAMP + 8) return null;
  const fields = fieldsOf(clock.data);
  if (fields.u64(CLOCK_SLOT) !== slot) return null;
  return new Date(Number(fields.u64(CLOCK_UNIX_TIMESTAMP)) * 1_000);
}
