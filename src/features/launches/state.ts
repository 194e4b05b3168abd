import type { launchStatuses } from '../../db/values/launches.ts';

export type LaunchStatus = (typeof launchStatuses)[number];

/** Every transition of a launch (contract/launches#status). There are no others. */
export const launchTransitions = {
  pending_launch_init: ['bonding', 'failed', 'expired'],
  bonding: [],
  failed: [],
  expired: [],
} as const satisfies Record<LaunchStatus, readonly LaunchStatus[]>;

export type LaunchEnd = (typeof launchTransitions)['pending_launch_init'][number];

/** The facts that decide about the end of a launch. */
export interface LaunchFacts {
  /** Null when no node reports whether the pool exists. */
  poolExists: boolean | null;
  intent: {
    status: 'prepared' | 'submitted' | 'confirmed' | 'expired' | 'failed';
    errorCode: string | null;
  };
  /** No block takes the transaction any more, at the heights of the nodes that were asked about the pool. */
  windowIsClosed: boolean;
}

/**
 * How a launch has ended, or null while it may still end otherwise. The pool decides, because a wallet can
 * send its signed transaction in any way: an intent that expired here may have landed. Only one transaction
 * carries the signature of the mint, so the launch also ends when that transaction landed and failed, or can
 * no longer land.
 */
export function launchEnd({ poolExists, intent, windowIsClosed }: LaunchFacts): LaunchEnd | null {
  if (poolExists === true) return 'bonding';
  if (intent.status === 'failed' && intent.errorCode === 'solana_transaction_failed') return 'failed';
  if (poolExists === null || !windowIsClosed) return null;
  if (intent.status === 'failed') return 'failed';
  return intent.status === 'expired' ? 'expired' : null;
}
