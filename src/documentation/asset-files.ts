import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Resource } from './resource.ts';

interface AssetFile {
  /** Joined in this order. */
  urls: readonly string[];
  contentType: string;
  /** The licence of another author's code, which must accompany the code. */
  notice?: string;
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const stylesheets = ['palette', 'base', 'frame', 'prose', 'code', 'entries', 'operation', 'search', 'home'];

const minisearch = import.meta.resolve('minisearch');
const own = (name: string) => new URL(`./assets/${name}`, import.meta.url).href;

/** The only files that are served: a name from a request is looked up here and never becomes a path. */
const assetFiles: Readonly<Record<string, AssetFile>> = {
  'documentation.css': { urls: stylesheets.map((name) => own(`${name}.css`)), contentType: CSS },
  'theme.js': { urls: [own('theme.js')], contentType: JAVASCRIPT },
  'site.js': { urls: [own('site.js')], contentType: JAVASCRIPT },
  'scrolling-focus.js': { urls: [own('scrolling-focus.js')], contentType: JAVASCRIPT },
  'search.js': { urls: [own('search.js')], contentType: JAVASCRIPT },
  'errors.js': { urls: [own('errors.js')], contentType: JAVASCRIPT },
  'live-values.js': { urls: [own('live-values.js')], contentType: JAVASCRIPT },
  'try-it.js': { urls: [own('try-it.js')], contentType: JAVASCRIPT },
  'minisearch.js': {
    urls: [minisearch],
    contentType: JAVASCRIPT,
    notice: new URL('../../LICENSE.txt', minisearch).href,
  },
  'launchwire.svg': { urls: [own('launchwire.svg')], contentType: 'image/svg+xml' },
};

/** Changes with every file, so that clients may cache assets for ever. */
export function assetVersion(): string {
  const hash = new Bun.CryptoHasher('sha256');
  for (const file of Object.values(assetFiles)) hash.update(contentOf(file));
  return hash.digest('hex').slice(0, 12);
}

/** Maps names to resources; files are read at their first request. */
export function assetResources(): [name: string, resource: Resource][] {
  return Object.entries(assetFiles).map(([name, file]) => [
    name,
    { contentType: file.contentType, caching: 'immutable', load: () => contentOf(file) },
  ]);
}

function contentOf({ urls, notice }: AssetFile): Buffer {
  const before = notice === undefined ? [] : [Buffer.from('/*!\n'), read(notice), Buffer.from('\n*/\n')];
  return Buffer.concat([...before, ...urls.map(read)]);
}

function read(url: string): Buffer {
  return readFileSync(fileURLToPath(url));
}
