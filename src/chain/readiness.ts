import type { Clock } from '../shared/clock.ts';
import type { Readiness } from '../shared/readiness.ts';
import { type ChainHeadSource, isFresh } from './head.ts';
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
    return positions.isDoubted ? [`the height of node ${name} is not believed`] : [];
  });
}
