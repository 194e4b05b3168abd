import { connectDatabase, type Database } from '../../src/db/client.ts';
import { wait } from '../../src/shared/loop.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { openWork } from '../pipeline/open-work.ts';
import { storeEndpoints } from '../pipeline/store-endpoints.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { type Findings, findings, inconsistentExamples, unknownOutcomes } from './findings.ts';
import { killPlan, type Victim } from './kill-plan.ts';
import { publishEvents } from './publish.ts';
import { type SubscriberCounts, type Subscribers, startSubscribers } from './subscribers.ts';

export interface SoakOptions {
  readonly seed: number;
  readonly events: number;
  readonly endpoints: number;
  /** Time of publishing and killing; the rest is then delivered undisturbed. */
  readonly minutes: number;
  /** Ends the soak early; its report is then meaningless. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export interface SoakReport {
  readonly pairs: number;
  readonly delivered: number;
  readonly duplicates: number;
  readonly kills: Readonly<Record<Victim, number>>;
  readonly unexpectedExits: number;
  readonly outcomesUnknown: number;
  readonly subscribers: SubscriberCounts;
  readonly settleSeconds: number;
  readonly findings: Findings;
  readonly inconsistentExamples: readonly Record<string, unknown>[];
}

/** Seconds: short, so that a short run includes retries, and long enough never to be exhausted. */
const RETRY_SCHEDULE = Array.from({ length: 12 }, (_, at) => Math.min(1 + at, 5)).join(',');
/** Twice the sum of a lease (20 s), the reconciler's interval (7 s) and retries. The rest depends on the delivery rate. */
const SETTLE_MS = 90_000;
const SETTLE_MS_PER_PAIR = 5;
const POLL_MS = 250;

/** Publishes while relay, worker, broker and database are killed, waits until no work is left, and compares. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const deployment = await startDeployment(RETRY_SCHEDULE);
  const subscribers = startSubscribers(options.events, options.endpoints);
  const sql = connectDatabase(deployment.databaseUrl, { applicationName: 'soak', connections: 2 });
  try {
    const endpoints = Array.from({ length: options.endpoints }, (_, at) => ({
      url: subscribers.urlOf(at),
      eventTypes: ['*'],
    }));
    const stored = await storeEndpoints(sql, deployment.secretKey, endpoints);
    subscribers.useSecrets(stored.map(({ secret }) => secret));
    const kills = await disturb(deployment, sql, subscribers, options);
    const settleStartedAt = performance.now();
    await settle(sql, subscribers, options);
    const settleSeconds = (performance.now() - settleStartedAt) / 1000;
    return {
      pairs: options.events * options.endpoints,
      delivered: subscribers.distinct(),
      duplicates: subscribers.counts.accepted - subscribers.distinct(),
      kills,
      unexpectedExits: deployment.unexpectedExits(),
      outcomesUnknown: await unknownOutcomes(sql),
      subscribers: subscribers.counts,
      settleSeconds,
      findings: await findings(sql, options.events, options.endpoints),
      inconsistentExamples: await inconsistentExamples(sql),
    };
  } finally {
    await sql.end({ timeout: 1 });
    await deployment.close();
    await subscribers.close();
  }
}

/** Publishes and kills concurrently for the given time. */
async function disturb(
  deployment: Deployment,
  sql: Database,
  subscribers: Subscribers,
  { seed, events, minutes, signal, log }: SoakOptions,
): Promise<Record<Victim, number>> {
  const overMs = minutes * 60_000;
  const over = new AbortController();
  const late = AbortSignal.any([signal, AbortSignal.timeout(overMs + SETTLE_MS)]);
  const timer = setTimeout(() => over.abort(), overMs);
  const publishing = publishEvents(sql, subscribers, { count: events, overMs: overMs * 0.95, signal: late });
  const killing = killUntil(AbortSignal.any([signal, over.signal]), deployment, seed, log);
  try {
    const [kills] = await Promise.all([killing, publishing]);
    return kills;
  } finally {
    clearTimeout(timer);
    over.abort();
    // Whatever failed, nothing may be restarted while the deployment is being closed.
    await Promise.allSettled([killing, publishing]);
  }
}

async function killUntil(
  signal: AbortSignal,
  deployment: Deployment,
  seed: number,
  log: (line: string) => void,
): Promise<Record<Victim, number>> {
  const kills: Record<Victim, number> = { relay: 0, worker: 0, broker: 0, database: 0 };
  for (const { victims, pauseMs, downMs } of killPlan(seededRandom(seed))) {
    await wait(pauseMs, signal);
    if (signal.aborted) break;
    log(`kill -9 ${victims.join(' and ')}, restart after ${downMs} ms`);
    for (const victim of victims) kills[victim] += 1;
    await Promise.all(victims.map((victim) => deployment.kill(victim)));
    await wait(downMs, signal);
    await Promise.all(victims.map((victim) => deployment.start(victim)));
  }
  return kills;
}

/** Waits until no work is left, or until waiting longer would hide that something is stuck. */
async function settle(sql: Database, subscribers: Subscribers, options: SoakOptions): Promise<void> {
  const pairs = options.events * options.endpoints;
  const late = AbortSignal.any([options.signal, AbortSignal.timeout(SETTLE_MS + pairs * SETTLE_MS_PER_PAIR)]);
  while (!late.aborted) {
    // In this order: counting a million rows repeatedly would slow the deliveries down.
    if (subscribers.distinct() >= pairs && (await openWork(sql)) === 0) return;
    await wait(POLL_MS, late);
  }
  options.log('not everything was delivered in time');
}
