import type { ChainRpc, RpcOutcome } from '../../../chain/rpc.ts';

/**
 * One node in one round of polls: it is asked for one batch at a time. Once it has not answered, it is asked nothing more in this round: a
 * hanging node costs a round one timeout, and not one for each batch.
 */
export class NodeLane {
  readonly rpc: ChainRpc;
  readonly #isLeftOut: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #isSilent: boolean;

  /** @param isLeftOut it is asked nothing from the beginning */
  constructor(rpc: ChainRpc, isLeftOut: boolean) {
    this.rpc = rpc;
    this.#isLeftOut = isLeftOut;
    this.#isSilent = isLeftOut;
  }

  /** It was asked in this round, and has not answered. */
  get hasFallenSilent(): boolean {
    return this.#isSilent && !this.#isLeftOut;
  }

  /** Asks the node when its turn comes; null when it has not answered before. */
  inTurn<Value>(ask: (rpc: ChainRpc) => Promise<Value>): Promise<Value | null> {
    const answer = this.#last.then(() => (this.#isSilent ? null : ask(this.rpc)));
    // A failure is that of who asked.
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** The value of a call, or null; a call without an answer is the last of this round. */
  heard<Value>(outcome: RpcOutcome<Value>): Value | null {
    if (outcome.ok) return outcome.value;
    const { kind } = outcome.failure;
    if (kind === 'unavailable' || kind === 'unknown') this.#isSilent = true;
    return null;
  }
}
