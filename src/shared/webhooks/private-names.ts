/** Suffixes that are never public: reserved by RFC 6761, RFC 6762, RFC 8375, RFC 7686, RFC 9476 and ICANN (`internal`). */
const NEVER_PUBLIC = ['alt', 'arpa', 'internal', 'local', 'localhost', 'onion'] as const;

/**
 * Suffixes that networks use internally and nobody can register: ICANN reserves `corp`, `home` and `mail` for
 * internal use, `svc` belongs to a Kubernetes cluster (`cluster.local` is `local`). A resolver of the
 * internal network may answer for them, so they are private unless the operator admits private ranges: then
 * the addresses alone decide.
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

/** True for a last label that nobody owns on the internet. */
export function isPrivateSuffix(label: string, admitsPrivateRanges: boolean): boolean {
  return never.has(label) || (byCustom.has(label) && !admitsPrivateRanges);
}
