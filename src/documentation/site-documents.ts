import type { Resource } from './resource.ts';
import { PAGE_SECONDS, type Site } from './site-pages.ts';

/** Documents for programs, by their path. */
export function siteDocuments(site: Site): [path: string, document: Resource][] {
  const { operations, options, links } = site;
  return [
    [
      '/docs/openapi.json',
      json('launchwire-openapi.json', async () =>
        (await import('./openapi/document.ts')).openApiDocument(operations, options),
      ),
    ],
    [
      '/docs/asyncapi.json',
      json('launchwire-asyncapi.json', async () =>
        (await import('./asyncapi/document.ts')).asyncApiDocument(options),
      ),
    ],
    [
      '/docs/postman.json',
      json('launchwire-postman.json', async () =>
        (await import('./postman/collection.ts')).postmanCollection(operations, options),
      ),
    ],
    [
      '/docs/search.json',
      json(undefined, async () => (await import('./search/documents.ts')).searchDocuments(site)),
    ],
    ['/docs/llms.txt', text(async () => (await import('./llms.ts')).llmsText(links, operations, options))],
    ['/docs/llms-full.txt', text(async () => (await import('./llms.ts')).llmsFullText(operations, options))],
  ];
}

function json(fileName: string | undefined, make: () => Promise<unknown>): Resource {
  return {
    contentType: 'application/json; charset=utf-8',
    caching: PAGE_SECONDS,
    isOpen: true,
    ...(fileName && { fileName }),
    load: async () => JSON.stringify(await make()),
  };
}

function text(load: () => Promise<string>): Resource {
  return { contentType: 'text/plain; charset=utf-8', caching: PAGE_SECONDS, isOpen: true, load };
}
