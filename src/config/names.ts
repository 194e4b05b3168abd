import { editDistance, nearest } from '../shared/nearest.ts';

/** Only Launchwire uses these prefixes: an unknown name with one is a mistake. */
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
const TYPOS_MAX = 2;
/** Kubernetes sets the addresses of neighbouring services under such names in every container. */
const OF_KUBERNETES = /_(?:SERVICE_(?:HOST|PORT)(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP)\w*)?)$/;

/**
 * Lists names that look like ours but are not, one sentence each, without values: otherwise a misspelt
 * variable would silently have no effect.
 * @param known every name of the configuration
 */
export function unknownNames(
  known: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  // Other programs use these too: only a name that nearly equals an unset variable counts as a mistake.
  const sharedPrefixes = new Set(known.map(firstWord));
  return Object.keys(environment)
    .filter((name) => environment[name] && !known.includes(name) && !OF_KUBERNETES.test(name))
    .flatMap((name) => {
      const isOwn = ownPrefixes.some((prefix) => name.startsWith(prefix));
      const isShared = sharedPrefixes.has(firstWord(name));
      // Comparing every variable of the environment took 40 ms of each start.
      const meant = isOwn || isShared ? nearest(name, known) : undefined;
      if (meant === undefined) return [];
      const isTypo = isShared && !environment[meant] && editDistance(name, meant) <= TYPOS_MAX;
      return isOwn || isTypo ? [`${name} is no variable of Launchwire: the most similar is ${meant}`] : [];
    })
    .sort();
}

function firstWord(name: string): string {
  const [first = name] = name.split('_', 1);
  return first;
}
