import type { EventName } from '../../shared/events/catalogue.ts';
import type { TokenStatus } from './record.ts';

/** How far a launch has come, behind the sixteen statuses (contract/tokens#launch-phases). */
export type LaunchPhase = 'preparing' | 'live' | 'graduated' | 'failed';

const phases: Readonly<Record<TokenStatus, LaunchPhase>> = {
  pending: 'preparing',
  pending_launch_init: 'preparing',
  pending_escrows: 'preparing',
  pending_finalization: 'preparing',
  pre_raise_pending: 'preparing',
  pre_raising: 'preparing',
  pre_raise_settling: 'preparing',
  pre_raise_refunding: 'preparing',
  bonding: 'live',
  graduating_migration_pending: 'live',
  graduated: 'graduated',
  pre_raise_failed: 'failed',
  graduation_failed: 'failed',
  expired: 'failed',
  cancelled: 'failed',
  failed: 'failed',
};

export function launchPhase(status: TokenStatus): LaunchPhase {
  return phases[status];
}

/** What decides the lifecycle of a token. */
export interface LaunchState {
  status: TokenStatus;
  launchedAt: Date | null;
  graduatedAt: Date | null;
}

/**
 * The next state of a launch. Times are set once and stay; graduation is final, so a message that comes late
 * never takes it back. A launch that reaches the market without a time gets `now`.
 */
export function nextLaunchState(
  previous: LaunchState | null,
  reported: { status: TokenStatus; launchedAt: Date | null },
  now: Date,
): LaunchState {
  const status = previous?.status === 'graduated' ? previous.status : reported.status;
  const phase = launchPhase(status);
  const hasLaunched = phase === 'live' || phase === 'graduated';
  return {
    status,
    launchedAt: previous?.launchedAt ?? reported.launchedAt ?? (hasLaunched ? now : null),
    graduatedAt: previous?.graduatedAt ?? (phase === 'graduated' ? now : null),
  };
}

/** Events that a change of state sends (contract/events#catalogue), each when its fact becomes true for the first time. */
export function launchEvents(previous: LaunchState | null, next: LaunchState): EventName[] {
  const events: EventName[] = [];
  if (next.launchedAt !== null && (previous?.launchedAt ?? null) === null) events.push('launch.created');
  if (next.graduatedAt !== null && (previous?.graduatedAt ?? null) === null) events.push('launch.graduated');
  const hadFailed = previous !== null && launchPhase(previous.status) === 'failed';
  if (launchPhase(next.status) === 'failed' && !hadFailed) events.push('launch.failed');
  return events;
}

/** What a bonding curve shows on chain. */
export type CurveStep = 'curve_completed' | 'migrated';

/** What a step of the curve does to the status of its token; from any other status it does nothing. */
export const curveTransitions: Readonly<
  Record<CurveStep, { from: readonly TokenStatus[]; to: TokenStatus }>
> = {
  curve_completed: { from: ['bonding'], to: 'graduating_migration_pending' },
  migrated: { from: ['bonding', 'graduating_migration_pending'], to: 'graduated' },
};
