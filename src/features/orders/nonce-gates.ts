import type { FeatureState } from '../../chain/accounts/feature-account.ts';
import type { FeatureSource } from '../../chain/feature-gates.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { NonceGate, NonceGateAddress } from '../../shared/nonce-gates.ts';

/** What the cluster is about to do with durable nonces, or has done (contract/orders#notices). */
export const orderNotices = [
  'nonce_priority_end_scheduled',
  'nonce_priority_ended',
  'nonce_removal_scheduled',
  'nonces_removed',
] as const;
export type OrderNotice = (typeof orderNotices)[number];

const noticeOf: Readonly<Record<NonceGate, Readonly<Record<FeatureState['state'], OrderNotice | null>>>> = {
  priority: { absent: null, scheduled: 'nonce_priority_end_scheduled', active: 'nonce_priority_ended' },
  removal: { absent: null, scheduled: 'nonce_removal_scheduled', active: 'nonces_removed' },
};
const gaugeValues: Readonly<Record<FeatureState['state'], number>> = { absent: 0, scheduled: 1, active: 2 };

/** The states of the gates that are configured. They inform, and refuse nothing. */
export interface NonceGates {
  /** Makes no request. Null while the state is not known. */
  states(): { gate: NonceGate; state: FeatureState | null }[];
}

export function createNonceGates(
  gates: readonly NonceGateAddress[],
  features: Pick<FeatureSource, 'stateOf'>,
): NonceGates {
  return {
    states: () => gates.map(({ gate, address }) => ({ gate, state: features.stateOf(address) })),
  };
}

/** What an order says of the gates now. */
export function noticesNow(gates: NonceGates): OrderNotice[] {
  return gates.states().flatMap(({ gate, state }) => {
    const notice = state && noticeOf[gate][state.state];
    return notice === null ? [] : [notice];
  });
}

/** The gauge of the gates; none of a gate whose state is not known. */
export function observeNonceGates(metrics: ProcessMetrics, gates: NonceGates): void {
  const gauge = metrics.gauge(
    'launchwire_nonce_gate_state',
    'State of a gate of NONCE_GATES in the cluster: 0 nobody has asked for it, 1 it becomes active with the next epoch, 2 it is active',
    ['gate'],
  );
  metrics.addSource({
    name: 'nonce_gates',
    gauges: [gauge],
    load: async () => () => {
      for (const { gate, state } of gates.states())
        if (state !== null) gauge.set(gaugeValues[state.state], { gate });
    },
  });
}
