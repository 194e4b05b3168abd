import type { launchStatuses } from '../../db/schema/launches.ts';

export type LaunchStatus = (typeof launchStatuses)[number];

/** Every transition of a launch (contract/launches#status). What is not here never happens. */
export const launchTransitions = {
  pending_launch_init: ['bonding', 'failed', 'expired'],
  bonding: [],
  failed: [],
  expired: [],
} as const satisfies Record<LaunchStatus, readonly LaunchStatus[]>;

/** How a launch ends. */
export type LaunchEnd = (typeof launchTransitions)['pending_launch_init'][number];

/** What is known when the end of a launch is to be decided. */
export interface LaunchFacts {
  /** Null: no node says whether the pool exists. */
  poolExists: boolean | null;
  intent: {
    status: 'prepared' | 'submitted' | 'confirmed' | 'expired' | 'failed';
    errorCode: string | null;
  };
  /** No block takes the transaction any more, as far as the nodes that were asked about the pool have come. */
  windowIsClosed: boolean;
}

/**
 * How a launch has ended, or null while it may still end otherwise. The pool decides, because a wallet can send what it
 * signed by any way: an intent that expired here may have landed. Only one transaction carries the signature of the mint,
 * so one that landed and failed, or that nothing takes any more, is the end.
 */
export function launchEnd({ poolExists, intent, windowIsClosed }: LaunchFacts): LaunchEnd | null {
  if (poolExists === true) return 'bonding';
  if (intent.status === 'failed' && intent.errorCode === 'solana_transaction_failed') return 'failed';
  if (poolExists === null || !windowIsClosed) return null;
  if (intent.status === 'failed') return 'failed';
  return intent.status === 'expired' ? 'expired' : null;
}
