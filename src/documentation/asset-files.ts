import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import swaggerUi from 'swagger-ui-dist/package.json' with { type: 'json' };
import { contentHash, type Resource } from './resource.ts';

interface AssetFile {
  url: string;
  contentType: string;
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

const own = (name: string) => new URL(`./assets/${name}`, import.meta.url).href;
const swagger = (name: string) => import.meta.resolve(`swagger-ui-dist/${name}`);

/** The only files that are ever served: a name from a request is looked up here and never becomes a path. */
const assetFiles: Readonly<Record<string, AssetFile>> = {
  'swagger-ui-bundle.js': { url: swagger('swagger-ui-bundle.js'), contentType: JAVASCRIPT },
  'swagger-ui.css': { url: swagger('swagger-ui.css'), contentType: CSS },
  'reference.js': { url: own('reference.js'), contentType: JAVASCRIPT },
  'reference.css': { url: own('reference.css'), contentType: CSS },
  'documentation.css': { url: own('documentation.css'), contentType: CSS },
  'launchwire.svg': { url: own('launchwire.svg'), contentType: 'image/svg+xml' },
};

/** Changes with the package and with our own files, so that assets may be cached for good. */
export function assetVersion(): string {
  const ours = Object.values(assetFiles).filter(({ url }) => !url.includes('/swagger-ui-dist/'));
  const hash = contentHash(ours.map(({ url }) => read(url).toString()).join('\0'));
  return `${swaggerUi.version}-${hash.slice(0, 8)}`;
}

/** Name → resource; files are read when first requested. */
export function assetResources(): [name: string, resource: Resource][] {
  return Object.entries(assetFiles).map(([name, { url, contentType }]) => [
    name,
    { contentType, caching: 'immutable', load: () => read(url) },
  ]);
}

function read(url: string): Buffer {
  return readFileSync(fileURLToPath(url));
}
