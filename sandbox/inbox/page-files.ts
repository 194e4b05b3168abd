import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE = join(import.meta.dir, 'page');
/** The build without imports. The package does not export it by name. */
const CHARTS = join(
  fileURLToPath(import.meta.resolve('lightweight-charts/package.json')),
  '../dist/lightweight-charts.standalone.production.mjs',
);
/** The pages of the documentation have the same colours, and tables that scroll. */
const DOCUMENTATION = join(import.meta.dir, '../../src/documentation/assets');
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Files by path: the page, those that it shares with the documentation, and the published chart library. */
const files = new Map<string, { path: string; contentType: string }>([
  ...readdirSync(PAGE).map((name) => [`/${name}`, fileOf(join(PAGE, name))] as const),
  ['/', fileOf(join(PAGE, 'page.html'))],
  ...['palette.css', 'launchwire.svg', 'scrolling-focus.js'].map(
    (name) => [`/${name}`, fileOf(join(DOCUMENTATION, name))] as const,
  ),
  ['/lightweight-charts.js', { path: CHARTS, contentType: 'text/javascript; charset=utf-8' }],
]);

function fileOf(path: string) {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return { path, contentType: CONTENT_TYPES[extension] ?? 'application/octet-stream' };
}

/** The file of the page at this path; null when there is none. */
export function pageFile(pathname: string, headers: Record<string, string>): Response | null {
  const file = files.get(pathname);
  if (file === undefined) return null;
  return new Response(Bun.file(file.path), { headers: { ...headers, 'Content-Type': file.contentType } });
}
