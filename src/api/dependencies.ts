import type { ConfigOf } from '../config/load.ts';
import { clockReadiness } from '../db/observe-clock.ts';
import type { SiteOptions } from '../documentation/options.ts';
import { createMemoryRateLimiter } from '../http/limits/rate-limiter.ts';
import { createRedisRateLimiter } from '../http/limits/redis-rate-limiter.ts';
import { RecentOutcomes } from '../http/observation/recent-outcomes.ts';
import type { PublicPathDependencies } from '../http/operational/operational-paths.ts';
import type { PipelineDependencies } from '../http/request-pipeline.ts';
import type { Clock } from '../shared/clock.ts';
import { ConfigurationError } from '../shared/configuration-error.ts';
import { type Given, gather } from '../shared/doors.ts';
import type { Logger } from '../shared/log.ts';
import { wait } from '../shared/loop.ts';
import { defaultRateLimits } from '../shared/rate-policies.ts';
import { doors } from './doors.ts';
import { type ApiGround, createGround } from './ground.ts';
import { createPipelineDependencies } from './pipeline.ts';
import { readinessChecks } from './readiness.ts';

/** What handlers get: what the process has, and what the doors give. */
export interface ApiDependencies
  extends Omit<ApiGround, 'chain' | 'clock' | 'endPools' | 'metrics' | 'secretKeyCheck'>,
    Given<typeof doors, 'open'> {
  clock: Clock;
  recordSources: Given<typeof doors, 'records'>;
  pipeline: PipelineDependencies;
  documentation: SiteOptions;
  /** Every operation refuses query parameters that it does not know. */
  strictQuery: boolean;
  operational: PublicPathDependencies;
}

const BUS_LOGIN_TIMEOUT_MS = 5_000;

/**
 * Wires the api. `beginClock` measures the time, `beginSecretKey` compares the keys with those of other
 * processes; `run` does the background work until the signal aborts; `close` ends connections.
 */
export function createApiDependencies(config: ConfigOf<'api'>, log: Logger) {
  const { metrics, chain, secretKeyCheck, endPools, ...ground } = createGround(config, log);
  const { clock, hintChannel, keyUses, draining, signingKeys, replica } = ground;
  const { redisUrl, redisCaFile } = config;
  const sharedLimiter =
    redisUrl === undefined ? undefined : createRedisRateLimiter({ redisUrl, redisCaFile }, log);
  const outcomes = new RecentOutcomes();
  const recordSources = gather(doors, 'records', { ...ground, database: ground.publicDatabase });
  const given = gather(doors, 'open', { ...ground, recordSources });
  const dependencies: ApiDependencies = {
    ...ground,
    ...given,
    recordSources,
    pipeline: {
      ...createPipelineDependencies(config, ground),
      bodies: ground.bodies,
      limiter: metrics.countDecisions(
        sharedLimiter ?? createMemoryRateLimiter(config.apiWorkers, () => performance.now()),
      ),
      onOutcome: metrics.onOutcome,
      outcomes,
      waits: ground.waits,
      publicWaits: ground.publicWaits,
    },
    documentation: {
      publicUrl: config.publicUrl,
      docsUrl: config.docsUrl,
      rateLimits: { ...defaultRateLimits, ...config.rateLimits },
    },
    strictQuery: config.strictQuery,
    operational: {
      readiness: [
        ...readinessChecks({ ...ground, sharedLimiter, outcomes }),
        clockReadiness(clock, false),
        secretKeyCheck.readiness,
        ground.workerKeys.readiness,
      ],
      draining,
      signingKeys,
      clock,
      metrics,
    },
  };
  return {
    dependencies,
    beginClock: () => clock.begin(),
    beginSecretKey: () => secretKeyCheck.begin(),
    /**
     * Throws ConfigurationError when the broker refuses the login. It does not wait for a broker that is
     * unavailable or silent.
     */
    requireBusLogin: async () => {
      const decided = new AbortController();
      const refusal = await Promise.race([
        hintChannel.loginRefusal(),
        wait(BUS_LOGIN_TIMEOUT_MS, decided.signal),
      ]);
      decided.abort();
      if (refusal instanceof ConfigurationError) throw refusal;
    },
    run: async (signal: AbortSignal) => {
      await Promise.all([
        clock.run(signal),
        secretKeyCheck.run(signal),
        chain.run(signal),
        replica?.run(signal),
        keyUses.run(signal, log),
      ]);
    },
    /** After the last request: pending submissions are sent and recorded first. */
    close: async () => {
      await given.streams.stop();
      await given.firstBroadcaster.drain();
      // A failure is only logged: the time of a key's last use may be lost.
      await keyUses.record().catch((err: unknown) => log.warn({ err }, 'key_uses.lost'));
      sharedLimiter?.close();
      await hintChannel.close();
      await Promise.all([endPools(), replica?.close(), ground.tracing?.close()]);
    },
  };
}
