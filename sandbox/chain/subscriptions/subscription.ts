import type { Commitment } from '../commitment.ts';
import type { LedgerChange } from '../ledger-listener.ts';
import type { RpcContext } from '../rpc-context.ts';

/** A subscription by what it reports when its commitment is reached. It ignores the absent kinds. */
export interface Subscription {
  /** Name of its notifications, for example `logsNotification`. */
  readonly notification: string;
  readonly commitment: Commitment;
  /** Takes each change, in chain order. Returns the results to send. */
  onChange?(change: LedgerChange, context: RpcContext): readonly unknown[];
  /** Takes all changes of one slot at once, each account once. Returns the results to send. */
  onAccounts?(addresses: ReadonlySet<string>, slot: bigint, context: RpcContext): readonly unknown[];
  /** Takes each slot that the commitment reaches. Returns the results to send. */
  onSlot?(slot: bigint, context: RpcContext): readonly unknown[];
  /** Called once, right after the subscription was acknowledged. Returns the results to send. */
  onStart?(context: RpcContext): readonly unknown[];
  /** True after its last notification. It is then removed without notice, as on a cluster. */
  isDone?(): boolean;
}
