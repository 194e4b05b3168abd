import { fieldsOf } from '../../chain/accounts/account-data.ts';
import { BONDING_CURVE, CLOCK_SYSVAR, DAMM_V2 } from '../../chain/accounts/programs.ts';
import type { PacedSlot } from '../../chain/head.ts';
import { type AccountsInSlot, getAccounts } from '../../chain/rpc/account-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { highestReported } from '../../chain/streams/stream-watch.ts';
import type { Logger } from '../../shared/log.ts';
import { wait } from '../../shared/loop.ts';
import type { SteadyTime } from '../steady-time.ts';
import type { WakeUpSources } from '../wake-ups/wake-up-sources.ts';
import { hashAccount } from '../wake-ups/wake-up-stream.ts';
import { type NodeSet, NodeUnavailable } from './node-set.ts';
import type { PolledPool } from './polled-pool.ts';
import type { RequestBudget } from './request-budget.ts';
import type { WalkQueue } from './walk-queue.ts';

/**
 * Pools without a trade from their cursors through `slot`: at that slot their accounts held the same bytes as
 * at an earlier slot through which everything had been read. Every swap, change of liquidity, completion and
 * migration changes the bytes of the pool's account (reserves, price or fee counters that only grow). This
 * does not hold for DAMM v1, so its pools are never among them.
 *
 * The proof does not cover transactions that leave the pool's account unchanged, such as a claim of a DAMM
 * position's fees. The next walk of the pool finds them.
 */
export interface QuietProof {
  poolAddresses: readonly string[];
  /** The slot of the bank that returned the accounts. It is believed as far as the chain head is. */
  slot: bigint;
  /** Time of that slot by the chain's own clock account, which the same request reads. */
  time: Date;
}

/** Called with every proof, in order, with at most 99 pools. Must not throw. */
export type OnQuietPoolsProven = (proof: QuietProof) => void;

/** A pool counts as active for this long after new transactions. */
const ACTIVE_MS = 60_000;
/** getMultipleAccounts takes 100 addresses. One of them is the clock. */
const POOLS_PER_REQUEST = 99;
/** The share of the budget for sweeps of all pools: `live` while wake-ups come, `silent` while none do. */
const SHARE = { silent: 0.4, live: 0.1 };
const SHORTEST_MS = { silent: 500, live: 5_000 };
/** Only few pools are active, so they are swept this many times as often. */
const ACTIVE_DIVISOR = 6;

/**
 * The pause between two sweeps of a pool's account. While wake-ups come, the sweep only finds missed changes.
 * While none come, the sweep finds all trades. At 10,000 pools and 32 requests a second the pause is 32 s
 * while wake-ups come and 7.9 s while none come, and a sixth of that for active pools.
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
/**
 * Programs whose pools change with every trade. A swap of DAMM v1 moves shares of vaults and may leave its
 * pool unchanged.
 */
const OWNERS: ReadonlySet<string> = new Set([BONDING_CURVE, DAMM_V2]);

export interface QuietSweepDependencies {
  nodes: NodeSet;
  budget: RequestBudget;
  wakeUps: WakeUpSources;
  /** The chain head that this process believes. Null while it believes none. */
  head(): PacedSlot | null;
  onQuietPoolsProven: OnQuietPoolsProven;
  pools: ReadonlyMap<string, PolledPool>;
  queue: Pick<WalkQueue, 'observe'>;
  log: Logger;
  time: SteadyTime;
  signal: AbortSignal;
}

/**
 * Reads the accounts of all pools again and again, 99 in a request, until the signal aborts. Never throws.
 */
export async function runQuietSweep(dependencies: QuietSweepDependencies): Promise<void> {
  const { signal, log, time } = dependencies;
  let requestCount = 0;
  let failures = 0;
  while (!signal.aborted) {
    for (const batch of dueBatches(dependencies, time.nowMs())) {
      if (signal.aborted) return;
      requestCount += 1;
      try {
        if (await sweepBatch(dependencies, batch, requestCount)) failures = 0;
      } catch (err) {
        failures += 1;
        log[failures === 1 ? 'error' : 'debug']({ err, failures }, 'indexer.sweep_failed');
      }
    }
    await wait(time.timerMs(TICK_MS), signal);
  }
}

/** Pools that are due, longest first. The last request also takes some pools that are due next. */
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

/** Returns true when a node returned the accounts. */
async function sweepBatch(
  dependencies: QuietSweepDependencies,
  batch: readonly PolledPool[],
  nodeOffset: number,
): Promise<boolean> {
  const { nodes, head, log } = dependencies;
  // The chain's clock dates the accounts in the same request.
  const addresses = [CLOCK_SYSVAR, ...batch.map(({ pool }) => pool.poolAddress)];
  for (const rpc of nodes.available(nodeOffset)) {
    try {
      const response = await nodes.call(rpc, (node) => readBatch(node, addresses));
      const believed = head();
      if (believed !== null && response.slot > highestReported(believed)) {
        log.warn(
          { node: rpc.name, slot: String(response.slot), head: String(believed.slot) },
          'indexer.sweep_slot_ignored',
        );
        continue;
      }
      observeAccounts(dependencies, batch, response);
      return true;
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error;
    }
  }
  return false;
}

async function readBatch(rpc: ChainRpc, addresses: readonly string[]) {
  const outcome = await getAccounts(rpc, addresses, TIMEOUT_MS);
  return outcome.ok ? outcome : { ...outcome, retryAfterMs: null };
}

function observeAccounts(
  { queue, time, onQuietPoolsProven }: QuietSweepDependencies,
  batch: readonly PolledPool[],
  response: AccountsInSlot,
): void {
  const { slot, accounts } = response;
  const now = time.nowMs();
  const quiet: string[] = [];
  for (const pool of batch) {
    const { poolAddress } = pool.pool;
    const account = accounts.get(poolAddress) ?? null;
    // An account of another program proves nothing. Its pool is still walked.
    if (account === null || !OWNERS.has(account.owner)) continue;
    const verdict = queue.observe(pool, { slot, hash: hashAccount(account.data), isExact: false }, now);
    if (verdict === 'quiet') quiet.push(poolAddress);
  }
  const chainTime = chainTimeOf(response);
  if (chainTime !== null && quiet.length > 0)
    onQuietPoolsProven({ poolAddresses: quiet, slot, time: chainTime });
}

/** The chain's time at the slot of the response. Null when the clock account is of another slot. */
function chainTimeOf({ slot, accounts }: AccountsInSlot): Date | null {
  const clock = accounts.get(CLOCK_SYSVAR) ?? null;
  if (clock === null || clock.data.length < CLOCK_UNIX_TIMESTAMP + 8) return null;
  const fields = fieldsOf(clock.data);
  if (fields.u64(CLOCK_SLOT) !== slot) return null;
  return new Date(Number(fields.u64(CLOCK_UNIX_TIMESTAMP)) * 1_000);
}
