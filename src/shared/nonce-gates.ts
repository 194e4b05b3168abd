/**
 * Features of the cluster that change what a transaction over a durable nonce can do: its priority counts as 0
 * (SIMD-0571), or it cannot land any more.
 */
export const nonceGates = ['priority', 'removal'] as const;
export type NonceGate = (typeof nonceGates)[number];

/** The address of the feature account, which is known only once the feature has a key. */
export interface NonceGateAddress {
  gate: NonceGate;
  address: string;
}
