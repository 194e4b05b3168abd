import type { FaultState } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerView } from './ledger-view.ts';
import type { Network, NetworkMember } from './network.ts';

/** What one RPC call works on: the shared ledger, this node's view of it, its faults, and the other nodes. */
export interface RpcContext {
  readonly ledger: Ledger;
  readonly view: LedgerView;
  readonly faults: FaultState;
  /** The address that was called. */
  readonly member: NetworkMember;
  readonly network: Network;
}

export type RpcMethod = (context: RpcContext, params: readonly unknown[]) => unknown;
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** The version this chain claims; web3.js and kit only display it. */
export const API_VERSION = '4.2.0';

/** Wraps a value with the slot it was read at. */
export function withContext(slot: bigint, value: unknown): { context: unknown; value: unknown } {
  return { context: { apiVersion: API_VERSION, slot }, value };
}
