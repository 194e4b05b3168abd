import type { ChainRpc, RpcOutcome } from '../../chain/rpc.ts';
import { NodeLane } from './node-lane.ts';

/**
 * Nodes that did not answer in a round of polls: later rounds leave them out, so that only the first one
 * waits for a hanging node. Such a node gets one request at a time outside the rounds, and takes part again
 * once it has answered.
 */
export class SilentNodes {
  readonly #silent = new Set<ChainRpc>();
  readonly #asked = new Set<ChainRpc>();

  /**
   * Lanes for one round.
   * @param ask sends a silent node a request; it never rejects
   */
  lanesOf(rpcs: readonly ChainRpc[], ask: (rpc: ChainRpc) => Promise<RpcOutcome<unknown>>): NodeLane[] {
    return rpcs.map((rpc) => {
      const isLeftOut = this.#silent.has(rpc);
      if (isLeftOut) void this.#askAside(rpc, ask);
      return new NodeLane(rpc, isLeftOut);
    });
  }

  /** Takes the lanes of a finished round. */
  note(lanes: readonly NodeLane[]): void {
    for (const { rpc, hasFallenSilent } of lanes) if (hasFallenSilent) this.#silent.add(rpc);
  }

  async #askAside(rpc: ChainRpc, ask: (rpc: ChainRpc) => Promise<RpcOutcome<unknown>>): Promise<void> {
    if (this.#asked.has(rpc)) return;
    this.#asked.add(rpc);
    const { ok } = await ask(rpc);
    this.#asked.delete(rpc);
    if (ok) this.#silent.delete(rpc);
  }
}
