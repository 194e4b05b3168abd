import type { HistoryOutcome } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Logger } from '../../shared/log.ts';

/** A node did not answer a request; another may. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeUnavailable';
}

interface Health {
  failures: number;
  /** Not asked before this time. */
  restingUntilMs: number;
}

const FIRST_REST_MS = 250;
const LAST_REST_MS = 10_000;
/** A node that asks for a longer pause is asked again after this all the same. */
const RETRY_AFTER_MAX_MS = 60_000;

/**
 * The RPC nodes of one process with their health, shared by all pools: a node that fails or says 429 rests, longer
 * each time or as long as it asked, and no pool asks it meanwhile.
 */
export class NodeSet {
  readonly #health: Map<ChainRpc, Health>;
  readonly #log: Logger;
  readonly #nowMs: () => number;

  constructor(rpcs: readonly ChainRpc[], log: Logger, nowMs: () => number = () => performance.now()) {
    this.#health = new Map(rpcs.map((rpc) => [rpc, { failures: 0, restingUntilMs: 0 }]));
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** Nodes that do not rest, beginning at another one for each `turn`, so that load and lag are spread. */
  available(turn: number): ChainRpc[] {
    const now = this.#nowMs();
    const awake = [...this.#health].filter(([, health]) => health.restingUntilMs <= now).map(([rpc]) => rpc);
    const first = awake.length === 0 ? 0 : turn % awake.length;
    return [...awake.slice(first), ...awake.slice(0, first)];
  }

  /** Runs a request on one node. Throws NodeUnavailable when it came to nothing. */
  async ask<Value>(
    rpc: ChainRpc,
    request: (rpc: ChainRpc) => Promise<HistoryOutcome<Value>>,
  ): Promise<Value> {
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
    // A refusal is about this request, not about the node: other pools may go on asking it.
    if (health !== undefined && failure.kind !== 'refused')
      this.#rest(rpc, health, failure.message, retryAfterMs);
    throw new NodeUnavailable(`${rpc.name}: ${failure.message}`);
  }

  #rest(rpc: ChainRpc, health: Health, message: string, retryAfterMs: number | null): void {
    const backoffMs = Math.min(LAST_REST_MS, FIRST_REST_MS * 2 ** Math.min(health.failures, 8));
    const restMs = retryAfterMs === null ? backoffMs : Math.min(retryAfterMs, RETRY_AFTER_MAX_MS);
    // Requests that were in flight together fail together: they are one failure.
    if (health.restingUntilMs > this.#nowMs()) return;
    health.failures += 1;
    health.restingUntilMs = this.#nowMs() + restMs;
    const level = health.failures === 1 ? 'warn' : 'debug';
    this.#log[level]({ node: rpc.name, failures: health.failures, restMs, message }, 'indexer.node_rests');
  }
}
