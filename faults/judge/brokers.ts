import type { Evidence } from '../evidence/evidence.ts';

/** The operator learns from the log which server needs room and a restart (runbook StreamReplicaMissing). */
export function fullBrokersAreNamed({ fullBrokers }: Evidence): string[] {
  return fullBrokers
    .filter(({ isNamed }) => !isNamed)
    .map(
      ({ fromMs }) => `the broker's disk was full at ${(fromMs / 1000).toFixed(1)} s, and no worker said so`,
    );
}
