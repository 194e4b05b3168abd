import { unknownVariables } from '../../config.ts';
import type { Command } from '../command.ts';
import { checkBus } from './check-bus.ts';
import { checkDatabase } from './check-database.ts';
import { checkNodes } from './check-nodes.ts';
import { checkRedis } from './check-redis.ts';
import { checkSecrets } from './check-secrets.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

/** `doctor`: reads, and changes nothing, but for a key that the limiter's script counts by, and deletes, in Redis. */
export const doctor: Command = {
  group: 'doctor',
  verb: '',
  summary:
    'Checks that everything this deployment needs is there and fits: variables, Postgres, its clock, schema, roles, NATS, Redis, nodes, secrets',
  options: {},
  example: '--json',
  async run({ config, database, clock, rpcs }, _options, report) {
    const [databaseFindings, bus, redis, nodes] = await Promise.all([
      checkDatabase(database, clock),
      checkBus(config),
      checkRedis(config),
      checkNodes(rpcs),
    ]);
    const isMigrated = databaseFindings.some(({ check, state }) => check === 'schema' && state === 'ok');
    const secrets = isMigrated
      ? await checkSecrets(database, config, report)
      : skipped('secrets', 'needs a migrated database');
    const checks = [checkVariables(), ...databaseFindings, bus, redis, ...nodes, secrets];
    return { healthy: checks.every(({ state }) => state !== 'failed'), checks };
  },
  isFailure: ({ healthy }) => healthy !== true,
};

function checkVariables(): Finding {
  const mistakes = unknownVariables();
  return mistakes.length === 0
    ? ok('variables', 'every one with a prefix of Launchwire is known')
    : failed('variables', mistakes.join('; '));
}
