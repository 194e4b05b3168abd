import type { FeatureState } from '../../chain/accounts/feature-account.ts';
import { readFeatures } from '../../chain/feature-gates.ts';
import type { CurrentReadDependencies } from '../../chain/node-trust/first-current-response.ts';
import type { NonceGate, NonceGateAddress } from '../../shared/nonce-gates.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

const effects: Readonly<Record<NonceGate, string>> = {
  priority:
    'the priority of orders counts as 0 and is not charged, so they land where a block has room, and a tip is what hurries them',
  removal: 'no transaction over a durable nonce can land, so no order can',
};

/** Shows what each gate of NONCE_GATES does, and whether the cluster has scheduled it. */
export async function checkNonceGates(
  nodes: CurrentReadDependencies,
  gates: readonly NonceGateAddress[],
): Promise<Finding[]> {
  if (gates.length === 0)
    return [
      skipped(
        'nonce gates',
        'needs NONCE_GATES: SIMD-0571 would let the priority of orders count as 0, and has no feature account yet',
      ),
    ];
  if (nodes.rpcs.length === 0) return [skipped('nonce gates', 'needs SOLANA_RPC_URL')];
  const states = await readFeatures(
    nodes,
    gates.map(({ address }) => address),
  );
  return gates.map(({ gate, address }) => judge(gate, address, states.get(address) ?? null));
}

/** What has happened is shown; what is about to happen, or leaves orders without a way, is a failure. */
function judge(gate: NonceGate, address: string, state: FeatureState | null): Finding {
  const check = `nonce gate ${gate}`;
  const effect = effects[gate];
  if (state === null) return failed(check, `${address}: no state that two nodes show, or the only one`);
  switch (state.state) {
    case 'absent':
      return ok(check, `${address}: not scheduled; with it, ${effect}`);
    case 'scheduled':
      return failed(
        check,
        `${address}: scheduled for the next epoch; then ${effect} (runbook NonceGateScheduled)`,
      );
    case 'active': {
      const since = `${address}: active since slot ${state.activeSince}; ${effect}`;
      return gate === 'removal' ? failed(check, since) : ok(check, since);
    }
  }
}
