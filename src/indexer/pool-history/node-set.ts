import type { ChainPace } from '../../chain/pace/chain-pace.ts';
import { paceOf } from '../../chain/pace/measured-pace.ts';
import type { HistoryOutcome } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Logger } from '../../shared/log.ts';
import type { RequestBudget } from './request-budget.ts';
import type { RequestPriority } from './request-priority.ts';

/** A node did not respond to a request. Another node may respond. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeUnavailable';
}

interface Health {
  failures: number;
  /** The node is not called before this time. */
  backoffUntilMs: number;
}

const FIRST_BACKOFF_MS = 250;
const LAST_BACKOFF_MS = 10_000;
/** The longest `Retry-After` that is respected. */
const RETRY_AFTER_MAX_MS = 60_000;

export interface NodeSetOptions {
  /** Limits all requests together. If unset, there is no limit. */
  budget?: RequestBudget | undefined;
  nowMs?: () => number;
}

/**
 * The RPC nodes of one process with their health, shared by all pools. A node that fails or returns 429 is
 * not called by any pool for a while: longer after each failure, or for its `Retry-After`.
 */
export class NodeSet {
  #health: Map<ChainRpc, Health>;
  readonly #log: Logger;
  readonly #nowMs: () => number;
  readonly #budget: RequestBudget | undefined;
  #priority: RequestPriority | null = null;

  constructor(
    rpcs: readonly ChainRpc[],
    log: Logger,
    { budget, nowMs = () => performance.now() }: NodeSetOptions = {},
  ) {
    this.#health = new Map(rpcs.map((rpc) => [rpc, { failures: 0, backoffUntilMs: 0 }]));
    this.#log = log;
    this.#nowMs = nowMs;
    this.#budget = budget;
  }

  /** The same nodes with the same health, for requests with this priority. Each of them counts there. */
  withPriority(priority: RequestPriority): NodeSet {
    const nodes = new NodeSet([], this.#log, { budget: this.#budget, nowMs: this.#nowMs });
    nodes.#health = this.#health;
    nodes.#priority = priority;
    return nodes;
  }

  /** The pace of the chain by these nodes. */
  pace(): ChainPace {
    return paceOf([...this.#health.keys()]);
  }

  /**
   * Nodes that are not backing off.
   *
   * @param offset the index of the node that comes first. Another one each time spreads load and lag.
   */
  available(offset: number): ChainRpc[] {
    const now = this.#nowMs();
    const available = [...this.#health]
      .filter(([, health]) => health.backoffUntilMs <= now)
      .map(([rpc]) => rpc);
    const first = available.length === 0 ? 0 : offset % available.length;
    return [...available.slice(first), ...available.slice(0, first)];
  }

  /**
   * Runs a request at one node once the budget has room for it. Throws NodeUnavailable when it fails.
   *
   * @param isSpare true when other requests could get the data: then only a refusal for too many requests
   * (429) counts against the node
   */
  async call<Value>(
    rpc: ChainRpc,
    request: (rpc: ChainRpc) => Promise<HistoryOutcome<Value>>,
    { isSpare = false } = {},
  ): Promise<Value> {
    await this.#budget?.take(() => this.#priority?.isUrgent ?? false);
    if (this.#priority !== null) this.#priority.requestCount += 1;
    const outcome = await request(rpc);
    const health = this.#health.get(rpc);
    if (outcome.ok) {
      if (health !== undefined && health.failures > 0) {
        this.#log.info({ node: rpc.name, failures: health.failures }, 'indexer.node_recovered');
        health.failures = 0;
      }
      return outcome.value;
    }
    const { failure, retryAfterMs } = outcome;
    // A refusal concerns this request, not the node: other pools may still call it.
    const isHeldAgainst = failure.kind !== 'refused' && (!isSpare || failure.kind === 'unavailable');
    if (health !== undefined && isHeldAgainst) this.#backOff(rpc, health, failure.message, retryAfterMs);
    throw new NodeUnavailable(`${rpc.name}: ${failure.message}`);
  }

  #backOff(rpc: ChainRpc, health: Health, message: string, retryAfterMs: number | null): void {
    const ownMs = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(health.failures, 8));
    const backoffMs = retryAfterMs === null ? ownMs : Math.min(retryAfterMs, RETRY_AFTER_MAX_MS);
    // Requests that were in flight together fail together, so they count as one failure.
    if (health.backoffUntilMs > this.#nowMs()) return;
    health.failures += 1;
    health.backoffUntilMs = this.#nowMs() + backoffMs;
    const level = health.failures === 1 ? 'warn' : 'debug';
    this.#log[level](
      { node: rpc.name, failures: health.failures, backoffMs, message },
      'indexer.node_backing_off',
    );
  }
}
