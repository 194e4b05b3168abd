/** The files that name images of others. Those of ops/kubernetes name only the image of this project, which you build. */
export const imageFiles = [
  'Dockerfile',
  'compose.yaml',
  'ops/compose/cluster.yaml',
  'ops/kustomize/clustered/nats-values.yaml',
] as const;
/** What stands before the name, the name, the tag and the digest. Values of a chart have name and tag on lines of their own. */
const REFERENCE =
  /(ARG BUN_IMAGE=|image: \$\{\w+:-|repository: )([\w./-]+)(:|\s+tag: )([\w.-]+)(?:@(sha256:[0-9a-f]{64}))?/g;
const INDEX_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
const REQUEST_TIMEOUT_MS = 30_000;

export interface ImageReference {
  /** Its name in the registry: `library/postgres`, `oven/bun`. */
  readonly repository: string;
  readonly tag: string;
  /** Null where only the tag is named, which its owner can move. */
  readonly digest: string | null;
}

export function imagesOf(text: string): ImageReference[] {
  return [...text.matchAll(REFERENCE)].map(([, , name = '', , tag = '', digest = null]) => ({
    repository: name.includes('/') ? name : `library/${name}`,
    tag,
    digest,
  }));
}

/** The text with the digest of every image that it names. @param digests by `repository:tag` */
export function withDigests(text: string, digests: ReadonlyMap<string, string>): string {
  return text.replaceAll(REFERENCE, (_, before: string, name: string, between: string, tag: string) => {
    const digest = digests.get(`${name.includes('/') ? name : `library/${name}`}:${tag}`);
    if (digest === undefined) throw new Error(`the digest of ${name}:${tag} is unknown`);
    return `${before}${name}${between}${tag}@${digest}`;
  });
}

/**
 * The digest that a registry gives for a tag, for all platforms of the image.
 * @param registry origin, for example `https://registry-1.docker.io`
 * @throws when the registry does not answer, has no such image, or gives a digest that its own bytes do not have
 */
export async function digestOf(registry: string, { repository, tag }: ImageReference): Promise<string> {
  const url = `${registry}/v2/${repository}/manifests/${tag}`;
  const accept = INDEX_TYPES.join(', ');
  let response = await request(url, { accept });
  if (response.status === 401) {
    const token = await tokenFor(response.headers.get('www-authenticate') ?? '');
    response = await request(url, { accept, authorization: `Bearer ${token}` });
  }
  if (!response.ok) throw new Error(`${repository}:${tag}: the registry answered ${response.status}`);
  const digest = `sha256:${new Bun.CryptoHasher('sha256').update(await response.bytes()).digest('hex')}`;
  const claimed = response.headers.get('docker-content-digest');
  if (claimed !== null && claimed !== digest)
    throw new Error(`${repository}:${tag}: the registry calls ${digest} ${claimed}`);
  return digest;
}

/** A token for anybody, from where the registry's challenge says. */
async function tokenFor(challenge: string): Promise<string> {
  const fields = new Map(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  );
  const realm = fields.get('realm');
  if (realm === undefined) throw new Error('the registry asks for a login that is not understood');
  const url = new URL(realm);
  for (const key of ['service', 'scope']) url.searchParams.set(key, fields.get(key) ?? '');
  const response = await request(url.href, {});
  const { token } = (await response.json()) as { token?: string };
  if (!response.ok || token === undefined)
    throw new Error(`no token: ${url.origin} answered ${response.status}`);
  return token;
}

function request(url: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
}
