import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { matchesTag } from '../http/conditional-reads.ts';

/** Something served unchanged for the life of the process. */
export interface Resource {
  contentType: string;
  /** Seconds, or `immutable` for addresses that carry a version. */
  caching: number | 'immutable';
  /** Machines of other origins may read it. */
  isOpen?: boolean;
  vary?: string;
  load(): Uint8Array | string;
}

/** Responds to GET and HEAD of one resource; the bytes are loaded, compressed and hashed when first asked for. */
export type Responder = (request: Request) => Promise<Response>;

interface Representations {
  plain: Uint8Array<ArrayBuffer>;
  compressed: Uint8Array<ArrayBuffer>;
  tag: string;
}

/** Below this many bytes compression does not pay. */
const COMPRESSED_FROM = 1_024;
const IMMUTABLE_SECONDS = 31_536_000;
const compress = promisify(gzip);

export function createResponder(resource: Resource, headers: Readonly<Record<string, string>>): Responder {
  let loading: Promise<Representations> | undefined;
  return async (request) => {
    loading ??= represent(resource);
    const { plain, compressed, tag } = await loading;
    const isCompressed = plain.byteLength >= COMPRESSED_FROM && acceptsGzip(request);
    // Strong tags differ between encodings, because the bytes do (RFC 9110 section 8.8.3).
    const etag = isCompressed ? `"${tag}-gzip"` : `"${tag}"`;
    const responseHeaders = { ...headers, ...validators(resource), ETag: etag };
    const ifNoneMatch = request.headers.get('if-none-match');
    if (ifNoneMatch !== null && matchesTag(ifNoneMatch, etag)) {
      return new Response(null, { status: 304, headers: responseHeaders });
    }
    const body = isCompressed ? compressed : plain;
    // HEAD too: the server leaves the body out and sends its length, which it does for no body but an empty one.
    return new Response(body, {
      headers: {
        ...responseHeaders,
        'Content-Type': resource.contentType,
        ...(isCompressed && { 'Content-Encoding': 'gzip' }),
      },
    });
  };
}

function validators({ caching, isOpen, vary }: Resource): Record<string, string> {
  return {
    'Cache-Control':
      caching === 'immutable'
        ? `public, max-age=${IMMUTABLE_SECONDS}, immutable`
        : `public, max-age=${caching}`,
    Vary: vary === undefined ? 'Accept-Encoding' : `Accept-Encoding, ${vary}`,
    ...(isOpen === true && { 'Access-Control-Allow-Origin': '*' }),
  };
}

async function represent({ load }: Resource): Promise<Representations> {
  const plain = new Uint8Array(Buffer.from(load()));
  const compressed = new Uint8Array(await compress(plain, { level: 9 }));
  return { plain, compressed, tag: contentHash(plain) };
}

/** 128 bits of SHA-256 as text. */
export function contentHash(bytes: Uint8Array | string): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('base64url').slice(0, 22);
}

function acceptsGzip(request: Request): boolean {
  return /(^|[\s,])gzip\s*(;\s*q=(1|0?\.\d*[1-9])[^,]*)?(,|$)/i.test(
    request.headers.get('accept-encoding') ?? '',
  );
}
