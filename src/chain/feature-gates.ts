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

/** The state of each address. Null if too few nodes agree on one. */
export type FeatureStates = ReadonlyMap<string, FeatureState | null>;

/**
 * The state of each feature account, as two nodes near the head report it, or the only node that there is.
 *
 * @param addresses at most 100
 */
export async function readFeatures(
  { rpcs, clock }: CurrentReadDependencies,
  addresses: readonly string[],
): Promise<FeatureStates> {
  const now = clock.now();
  const usable = rpcs.filter(({ quarantine }) => !quarantine.isActive);
  const responses = await Promise.all(
    usable.map((rpc) => getAccounts(rpc, addresses, TIMEOUT_MS, leastCurrentSlot(rpcs, now))),
  );
  const reports = responses.flatMap((response) => (response.ok ? [response.value.accounts] : []));
  const needed = proofsNeeded(rpcs, clock.now());
  return new Map(
    addresses.map((address) => [
      address,
      agreedState(
        reports.map((accounts) => readFeature(accounts.get(address) ?? null)),
        needed,
      ),
    ]),
  );
}

/** The furthest state that enough nodes report, because the other nodes are late. */
function agreedState(states: readonly FeatureState[], needed: number): FeatureState | null {
  const furthestFirst = (['active', 'scheduled', 'absent'] as const).flatMap((state) =>
    states.filter((one) => one.state === state),
  );
  const hasEnoughNodes = ({ state, activeSince }: FeatureState) =>
    states.filter((one) => one.state === state && one.activeSince === activeSince).length >= needed;
  return furthestFirst.find(hasEnoughNodes) ?? null;
}

export interface FeatureSource {
  /** Makes no request. Null until enough nodes have reported a state once. */
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
        log.warn({ address, ...toLogFields(state) }, 'chain.feature');
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

function toLogFields({ state, activeSince }: FeatureState) {
  return { state, activeSince: activeSince === null ? null : String(activeSince) };
}
