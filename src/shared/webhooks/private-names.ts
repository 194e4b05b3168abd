/** Suffixes that are never public: reserved by RFC 6761, RFC 6762, RFC 8375, RFC 7686, RFC 9476 and ICANN (`internal`). */
const NEVER_PUBLIC = ['alt', 'arpa', 'internal', 'local', 'localhost', 'onion'] as const;

/**
 * Suffixes that networks use for themselves and that nobody can register: ICANN keeps `corp`, `home` and `mail` back
 * for their use inside, `svc` is a Kubernetes cluster's (`cluster.local` is `local`). A resolver of the internal
 * network may answer for them, so they are private unless the operator admits private ranges: then the addresses alone
 * decide.
 */
const PRIVATE_BY_CUSTOM = [
  'corp',
  'domain',
  'home',
  'intra',
  'intranet',
  'lan',
  'localdomain',
  'mail',
  'priv',
  'private',
  'svc',
  'test',
  'workgroup',
] as const;

const never: ReadonlySet<string> = new Set(NEVER_PUBLIC);
const byCustom: ReadonlySet<string> = new Set(PRIVATE_BY_CUSTOM);

/** True for the last label of a name that is nobody's on the internet. */
export function isPrivateSuffix(label: string, admitsPrivateRanges: boolean): boolean {
  return never.has(label) || (byCustom.has(label) && !admitsPrivateRanges);
}
