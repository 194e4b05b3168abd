import type { ChainRpc, RpcOutcome } from '../../chain/rpc.ts';

/**
 * One node in one round of polls: it gets one request at a time. After a request without an answer it gets no
 * more in this round, so a hanging node costs a round one timeout instead of one for each batch.
 */
export class NodeLane {
  readonly rpc: ChainRpc;
  readonly #isLeftOut: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #isSilent: boolean;

  /** @param isLeftOut true for a node that gets no request in this round */
  constructor(rpc: ChainRpc, isLeftOut: boolean) {
    this.rpc = rpc;
    this.#isLeftOut = isLeftOut;
    this.#isSilent = isLeftOut;
  }

  /** It was asked in this round, and has not answered. */
  get hasFallenSilent(): boolean {
    return this.#isSilent && !this.#isLeftOut;
  }

  /** Asks the node when its turn comes; null when an earlier request had no answer. */
  inTurn<Value>(ask: (rpc: ChainRpc) => Promise<Value>): Promise<Value | null> {
    const answer = this.#last.then(() => (this.#isSilent ? null : ask(this.rpc)));
    // The caller handles the failure.
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** The value of a call, or null. A call without an answer is the last of this round. */
  heard<Value>(outcome: RpcOutcome<Value>): Value | null {
    if (outcome.ok) return outcome.value;
    const { kind } = outcome.failure;
    if (kind === 'unavailable' || kind === 'unknown') this.#isSilent = true;
    return null;
  }
}
