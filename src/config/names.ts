import { editDistance, nearest } from '../shared/nearest.ts';

/** Nobody but Launchwire uses these: a name that begins so and is not known is a mistake. */
const ownPrefixes = [
  'WEBHOOK_',
  'RETENTION_',
  'INDEXER_',
  'PREDICTION_',
  'LIVENESS_',
  'LOOP_',
  'RESULT_LINK_',
  'RATE_LIMIT',
  'TRUSTED_PROXY_',
  'LAUNCH_',
  'GEYSER_',
] as const;
/** Others use them too: only what is nearly the name of a variable that is not set is taken for it. */
const sharedPrefixes = [
  'ACCESS_',
  'API_',
  'DATABASE_',
  'DOCS_',
  'INTERNAL_',
  'LOG_',
  'MAX_',
  'METRICS_',
  'NATS_',
  'OTEL_',
  'PUBLIC_',
  'REDIS_',
  'SECRET_',
  'SOLANA_',
] as const;
const TYPOS_MAX = 2;
/** Kubernetes gives every container the addresses of the services beside it under such names. */
const OF_KUBERNETES = /_(?:SERVICE_(?:HOST|PORT)(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP)\w*)?)$/;

/**
 * Variables that look like ours and are none, one sentence each, without values: left alone, a misspelt one would have
 * no effect in silence. @param known every name of the configuration
 */
export function unknownNames(
  known: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return Object.keys(environment)
    .filter((name) => environment[name] && !known.includes(name) && !OF_KUBERNETES.test(name))
    .flatMap((name) => {
      const meant = nearest(name, known);
      if (meant === undefined) return [];
      const isOwn = ownPrefixes.some((prefix) => name.startsWith(prefix));
      const isTypo =
        sharedPrefixes.some((prefix) => name.startsWith(prefix)) &&
        !environment[meant] &&
        editDistance(name, meant) <= TYPOS_MAX;
      return isOwn || isTypo ? [`${name} is no variable of Launchwire: the nearest is ${meant}`] : [];
    })
    .sort();
}
