import type { Clock } from '../shared/clock.ts';
import type { Readiness } from '../shared/readiness.ts';
import { type ChainHeadSource, isFresh } from './head.ts';
import type { DoubtReason } from './node-trust/position-history.ts';
import type { PaceBounds } from './pace/protocol.ts';
import type { ChainRpc } from './rpc.ts';

export interface ChainReadinessDependencies {
  chainHead: ChainHeadSource;
  /** The nodes that the process asks. The detail names the quarantined ones. */
  rpcs: readonly ChainRpc[];
  clock: Clock;
}

/** @param detail the effect on the process when no node responds. */
export function chainReadiness(
  { chainHead, rpcs, clock }: ChainReadinessDependencies,
  detail: string,
): Readiness {
  return {
    name: 'chain',
    required: false,
    check: async () => {
      const head = chainHead.current();
      const ready = head !== null && isFresh(head, clock.now());
      const details = [...(ready ? [] : [detail]), ...nodeDetails(rpcs)];
      return details.length === 0 ? { ready } : { ready, detail: details.join('; ') };
    },
  };
}

function nodeDetails(rpcs: readonly ChainRpc[]): string[] {
  return rpcs.flatMap(({ name, quarantine, positions }) => {
    if (quarantine.isActive) return [`node ${name} is quarantined`];
    const { doubt, bounds, paceDoubt } = positions;
    const details: string[] = [];
    if (doubt !== null)
      details.push(`the height of node ${name} is not believed: ${explanations[doubt](bounds)}`);
    if (paceDoubt !== null)
      details.push(
        `node ${name} reports a pace that is ${(paceDoubt === 'fast' ? tooFast : tooSlow)(bounds)}`,
      );
    return details;
  });
}

const explanations: Readonly<Record<DoubtReason, (bounds: PaceBounds) => string>> = {
  too_fast: (bounds) => `its pace is ${tooFast(bounds)}`,
  ahead: () => 'it is far ahead of the other nodes',
};

function tooFast({ shortestSlotMs }: PaceBounds): string {
  return `faster than a slot every ${shortestSlotMs} ms (SOLANA_SLOT_MS_MIN)`;
}

function tooSlow({ longestSlotMs }: PaceBounds): string {
  return `slower than a slot every ${longestSlotMs} ms (SOLANA_SLOT_MS_MAX)`;
}
