import { curveStages } from '../../db/values/tokens.ts';
import type { EventName } from '../../shared/events/catalogue.ts';
import type { TokenStatus } from './record.ts';

export type CurveStage = (typeof curveStages)[number];

/** Phases of a launch, from which the sixteen statuses follow (contract/tokens#launch-phases). */
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

/**
 * The stage of a curve on the chain, and the times of its stages; times are block times, null while unknown.
 */
export interface CurveState {
  curveStage: CurveStage | null;
  curveCreatedAt: Date | null;
  curveCompletedAt: Date | null;
  curveMigratedAt: Date | null;
}

/** Facts that decide the lifecycle of a token. */
export interface LaunchState extends CurveState {
  status: TokenStatus;
  launchedAt: Date | null;
  graduatedAt: Date | null;
}

/** One observation of a curve on the chain: its stage, and the block time of that if known. */
export interface CurveFact {
  stage: CurveStage;
  at: Date | null;
}

const nothingShown: CurveState = {
  curveStage: null,
  curveCreatedAt: null,
  curveCompletedAt: null,
  curveMigratedAt: null,
};
const timeOf = {
  trading: 'curveCreatedAt',
  completed: 'curveCompletedAt',
  migrated: 'curveMigratedAt',
} as const satisfies Record<CurveStage, keyof CurveState>;

/** A feed's report about a launch. */
export interface DescribedLaunch {
  status: TokenStatus;
  launchedAt: Date | null;
  /** With a pool the times come from the chain, so that none is invented. */
  hasPool: boolean;
}

/**
 * Returns the state after a feed's report (contract/tokens#chain-facts). A feed describes: facts from the
 * chain stay. Its own times are set once, and a graduation is final, so a late message never reverts one.
 */
export function stateAfterReport(
  previous: LaunchState | null,
  { status: described, launchedAt, hasPool }: DescribedLaunch,
  now: Date,
): LaunchState {
  const curve = curveOf(previous);
  const status = statusAt(curve.curveStage, previous?.status === 'graduated' ? 'graduated' : described);
  const phase = launchPhase(status);
  const hasLaunched = phase === 'live' || phase === 'graduated';
  const unknown = hasPool ? null : now;
  return {
    ...curve,
    status,
    launchedAt: curve.curveCreatedAt ?? previous?.launchedAt ?? launchedAt ?? (hasLaunched ? unknown : null),
    graduatedAt: curve.curveMigratedAt ?? previous?.graduatedAt ?? (phase === 'graduated' ? unknown : null),
  };
}

/** Returns the state after a fact from the chain. A stage never goes back, and a time is set once. */
export function stateAfterFact(previous: LaunchState, { stage, at }: CurveFact): LaunchState {
  const curve = curveOf(previous);
  if (curve.curveStage === null || rank(stage) > rank(curve.curveStage)) curve.curveStage = stage;
  curve[timeOf[stage]] ??= at;
  const status = statusAt(curve.curveStage, previous.status);
  return {
    ...curve,
    status,
    launchedAt: curve.curveCreatedAt ?? previous.launchedAt,
    graduatedAt: status === 'graduated' ? (curve.curveMigratedAt ?? previous.graduatedAt) : null,
  };
}

function curveOf(previous: LaunchState | null): CurveState {
  const { curveStage, curveCreatedAt, curveCompletedAt, curveMigratedAt } = previous ?? nothingShown;
  return { curveStage, curveCreatedAt, curveCompletedAt, curveMigratedAt };
}

function rank(stage: CurveStage): number {
  return curveStages.indexOf(stage);
}

/**
 * Statuses that agree with each stage of the curve: a status in the list stays, any other becomes the first.
 * The chain does not show why a completed curve does not migrate: only a feed reports a failed migration.
 */
const curveTransitions: Readonly<Record<CurveStage, readonly [TokenStatus, ...TokenStatus[]]>> = {
  trading: ['bonding'],
  completed: ['graduating_migration_pending', 'graduation_failed'],
  migrated: ['graduated'],
};

function statusAt(stage: CurveStage | null, described: TokenStatus): TokenStatus {
  if (stage === null) return described;
  const agreeing = curveTransitions[stage];
  return agreeing.includes(described) ? described : agreeing[0];
}

/** Facts that decide whether a change is news. */
export interface Announcement {
  /** When the token was registered; null during its registration. */
  registeredAt: Date | null;
  /** Also announces events from before the registration (contract/ingest#quiet-registration). */
  announceHistory: boolean;
  toldEvents: readonly string[];
}

/** Lists the events of a change of state (contract/events#catalogue), each once in the life of a token. */
export function launchEvents(
  previous: LaunchState | null,
  next: LaunchState,
  announcement: Announcement,
): EventName[] {
  const { registeredAt, announceHistory, toldEvents } = announcement;
  const isNews = (shownAt: Date | null) =>
    announceHistory ||
    (registeredAt !== null && (shownAt === null || shownAt.getTime() >= secondOf(registeredAt)));
  /**
   * An event is news when its fact became true now: on the chain at its block time, or by a feed's report.
   */
  const news = (name: EventName, described: boolean, time: keyof CurveState & `${string}At`): EventName[] => {
    const shownAt = next[time];
    const isShown = shownAt !== null && (previous?.[time] ?? null) === null;
    const isTrue = isShown || (described && next[time] === null);
    return isTrue && !toldEvents.includes(name) && isNews(shownAt) ? [name] : [];
  };
  const became = (phase: LaunchPhase) =>
    launchPhase(next.status) === phase && (previous === null || launchPhase(previous.status) !== phase);
  const isDescribed = next.curveStage === null;
  const hasLaunched = next.launchedAt !== null && (previous?.launchedAt ?? null) === null;
  const hasCompleted =
    next.status === 'graduating_migration_pending' && previous?.status !== 'graduating_migration_pending';
  const failed: EventName[] = ['launch.failed'];
  return [
    ...news('launch.created', isDescribed && hasLaunched, 'curveCreatedAt'),
    ...news('token.curve_completed', isDescribed && hasCompleted, 'curveCompletedAt'),
    ...news('launch.graduated', isDescribed && became('graduated'), 'curveMigratedAt'),
    ...(became('failed') && !toldEvents.includes('launch.failed') && isNews(null) ? failed : []),
  ];
}

/**
 * Block times are whole seconds: the block of a launch may have the second in which its token was registered.
 */
function secondOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000) * 1_000;
}
