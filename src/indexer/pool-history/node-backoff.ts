import type { HistoryOutcome } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Logger } from '../../shared/log.ts';
import type { RequestBudget } from './request-budget.ts';

/** A node did not respond to a request; another may. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeUnavailable';
}

interface Health {
  failures: number;
  /** Not called before this time. */
  backoffUntilMs: number;
}

const FIRST_BACKOFF_MS = 250;
const LAST_BACKOFF_MS = 10_000;
/** The longest `Retry-After` that is respected. */
const RETRY_AFTER_MAX_MS = 60_000;

export interface NodeSetOptions {
  /** What all requests together may cost; unlimited without it. */
  budget?: RequestBudget | undefined;
  nowMs?: () => number;
}

/**
 * The RPC nodes of one process with their health, shared by all pools: a node that fails or returns 429 is not
 * called by any pool for a while: longer each time, or as long as its `Retry-After` says.
 */
export class NodeSet {
  #health: Map<ChainRpc, Health>;
  readonly #log: Logger;
  readonly #nowMs: () => number;
  readonly #budget: RequestBudget | undefined;
  #isUrgent: () => boolean = () => false;
  /** Requests made by way of this set. */
  requestCount = 0;

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

  /** The same nodes with the same health, for requests that go before others while `isUrgent` says so. */
  withPriority(isUrgent: () => boolean): NodeSet {
    const nodes = new NodeSet([], this.#log, { budget: this.#budget, nowMs: this.#nowMs });
    nodes.#health = this.#health;
    nodes.#isUrgent = isUrgent;
    return nodes;
  }

  /** Nodes that are not backing off, beginning at another one for each `turn`, so that load and lag are spread. */
  available(turn: number): ChainRpc[] {
    const now = this.#nowMs();
    const available = [...this.#health]
      .filter(([, health]) => health.backoffUntilMs <= now)
      .map(([rpc]) => rpc);
    const first = available.length === 0 ? 0 : turn % available.length;
    return [...available.slice(first), ...available.slice(0, first)];
  }

  /**
   * Runs a request on one node once the budget has room for it. Throws NodeUnavailable when it fails.
   *
   * @param isSpare there is another way to what it asks for: only a refusal for its number (429) is held against the node
   */
  async call<Value>(
    rpc: ChainRpc,
    request: (rpc: ChainRpc) => Promise<HistoryOutcome<Value>>,
    { isSpare = false } = {},
  ): Promise<Value> {
    await this.#budget?.take(this.#isUrgent);
    this.requestCount += 1;
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
    // A refusal is about this request, not about the node: other pools may continue to call it.
    const isHeldAgainst = failure.kind !== 'refused' && (!isSpare || failure.kind === 'unavailable');
    if (health !== undefined && isHeldAgainst) this.#backOff(rpc, health, failure.message, retryAfterMs);
    throw new NodeUnavailable(`${rpc.name}: ${failure.message}`);
  }

  #backOff(rpc: ChainRpc, health: Health, message: string, retryAfterMs: number | null): void {
    const ownMs = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(health.failures, 8));
    const backoffMs = retryAfterMs === null ? ownMs : Math.min(retryAfterMs, RETRY_AFTER_MAX_MS);
    // Requests that were in flight together fail together: they are one failure.
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
