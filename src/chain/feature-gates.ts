import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';
import { type FeatureState, readFeature } from './accounts/feature-account.ts';
import { proofsNeeded } from './node-trust/believed-position.ts';
import { leastCurrentSlot } from './node-trust/chain-reach.ts';
import type { CurrentReadDependencies } from './node-trust/first-current-response.ts';
import { getAccounts } from './rpc/account-calls.ts';

const TIMEOUT_MS = 3_000;
/** A scheduled feature becomes active with the next epoch, which is hours away. */
const POLL_MS = 60_000;

/** By address; null where no state is shown by as many nodes as it takes. */
export type FeatureStates = ReadonlyMap<string, FeatureState | null>;

/**
 * The state of each feature account, as two nodes near the head show it, or the only one that there is.
 *
 * @param addresses at most 100
 */
export async function readFeatures(
  { rpcs, clock }: CurrentReadDependencies,
  addresses: readonly string[],
): Promise<FeatureStates> {
  const now = clock.now();
  const asked = rpcs.filter(({ quarantine }) => !quarantine.isActive);
  const responses = await Promise.all(
    asked.map((rpc) => getAccounts(rpc, addresses, TIMEOUT_MS, leastCurrentSlot(rpcs, now))),
  );
  const read = responses.flatMap((response) => (response.ok ? [response.value.accounts] : []));
  const needed = proofsNeeded(rpcs, clock.now());
  return new Map(
    addresses.map((address) => [
      address,
      agreedState(
        read.map((accounts) => readFeature(accounts.get(address) ?? null)),
        needed,
      ),
    ]),
  );
}

/** Of several states that enough nodes show, the furthest: the other nodes are late. */
function agreedState(states: readonly FeatureState[], needed: number): FeatureState | null {
  const furthestFirst = (['active', 'scheduled', 'absent'] as const).flatMap((state) =>
    states.filter((one) => one.state === state),
  );
  const isShown = ({ state, activeSince }: FeatureState) =>
    states.filter((one) => one.state === state && one.activeSince === activeSince).length >= needed;
  return furthestFirst.find(isShown) ?? null;
}

export interface FeatureSource {
  /** Makes no request. Null until enough nodes have shown a state once. */
  stateOf(address: string): FeatureState | null;
  /** Reads all states once a minute, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Keeps the states of feature accounts for one process. Nodes that contradict each other, or do not respond, change
 * nothing: the state on which enough of them agreed last stays.
 */
export function createFeatureSource(
  nodes: CurrentReadDependencies,
  addresses: readonly string[],
  log: Logger,
  pollMs = POLL_MS,
): FeatureSource {
  const known = new Map<string, FeatureState>();
  async function read(): Promise<void> {
    for (const [address, state] of await readFeatures(nodes, addresses)) {
      if (state === null) continue;
      if (state.state !== known.get(address)?.state && state.state !== 'absent')
        log.warn({ address, ...shown(state) }, 'chain.feature');
      known.set(address, state);
    }
  }
  return {
    stateOf: (address) => known.get(address) ?? null,
    async run(signal) {
      if (addresses.length === 0) return;
      await runLoop({
        name: 'features',
        log,
        signal,
        idleMs: pollMs,
        step: () => read().then(() => false),
      });
    },
  };
}

function shown({ state, activeSince }: FeatureState) {
  return { state, activeSince: activeSince === null ? null : String(activeSince) };
}
