import { getBlockTime, getPosition } from '../../chain/rpc/position-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';
import { AHEAD_MAX_MS } from '../ingest/kinds/source-proof.ts';
import type { NodeSet } from '../pool-history/node-set.ts';
import { type SteadyTime, steadyTime } from '../steady-time.ts';

/** The most that a proof lags behind the chain because of this poll. */
const POLL_MS = 500;
/** A position that this process's chain head read within this time is not requested again. */
const RECENT_MS = 600;
const TIMEOUT_MS = 2_000;

/** A node's newest confirmed block when it was observed, with its block time. */
export interface ObservedHead {
  slot: bigint;
  blockTime: Date;
}

/**
 * The position of each node. Block times never fall from one block to the next, so a node that shows
 * everything up to a block shows every trade with an earlier block time.
 */
export class NodeTimes {
  readonly #heads = new Map<ChainRpc, ObservedHead>();
  readonly #rpcs: readonly ChainRpc[];
  readonly #nodes: Pick<NodeSet, 'available'>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #time: SteadyTime;

  /** @param nodes decides which nodes are left alone for a while. They are not asked. */
  constructor(
    rpcs: readonly ChainRpc[],
    nodes: Pick<NodeSet, 'available'>,
    clock: Clock,
    log: Logger,
    time: SteadyTime = steadyTime,
  ) {
    this.#rpcs = rpcs;
    this.#nodes = nodes;
    this.#clock = clock;
    this.#log = log;
    this.#time = time;
  }

  /** The newest head observed at this node. Null until there is one. */
  latest(rpc: ChainRpc): ObservedHead | null {
    return this.#heads.get(rpc) ?? null;
  }

  /** Observes every node until the signal aborts. A slow node never delays the others. */
  async run(signal: AbortSignal): Promise<void> {
    const loops = this.#rpcs.map((rpc) =>
      runLoop({
        name: `node-times ${rpc.name}`,
        log: this.#log,
        signal,
        idleMs: this.#time.timerMs(POLL_MS),
        step: () => this.#observe(rpc).then(() => false),
      }),
    );
    await Promise.all(loops);
  }

  async #observe(rpc: ChainRpc): Promise<void> {
    if (rpc.quarantine.isActive || !this.#nodes.available(0).includes(rpc)) return;
    const slot = await this.#slotOf(rpc);
    if (this.#heads.get(rpc)?.slot === slot) return;
    const time = await getBlockTime(rpc, slot, TIMEOUT_MS);
    if (!time.ok) throw new Error(`${rpc.name}: ${time.failure.message}`);
    const blockTime = time.value;
    // A head in the future would prove transactions that nobody can have read yet.
    if (blockTime.getTime() > this.#clock.now().getTime() + AHEAD_MAX_MS) return;
    this.#heads.set(rpc, { slot, blockTime });
  }

  async #slotOf(rpc: ChainRpc): Promise<bigint> {
    const now = this.#clock.now();
    const known = rpc.positions.latest(now);
    if (known !== null && now.getTime() - known.atMs <= RECENT_MS) return known.slot;
    const position = await getPosition(rpc, TIMEOUT_MS);
    if (!position.ok) throw new Error(`${rpc.name}: ${position.failure.message}`);
    return position.value.slot;
  }
}
