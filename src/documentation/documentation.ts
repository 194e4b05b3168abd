import type { Operation } from '../http/operation.ts';
import { eventType } from '../shared/events/catalogue.ts';
import { assetResources, assetVersion } from './asset-files.ts';
import { eventSchemaDocument } from './events/event-documents.ts';
import { createLinks, type Links } from './links.ts';
import { wantsPage } from './negotiation.ts';
import { openApiDocument } from './openapi/document.ts';
import type { DocumentationOptions } from './options.ts';
import { errorsPage } from './pages/errors-page.ts';
import { eventPage } from './pages/event-page.ts';
import { eventNames, eventsPage } from './pages/events-page.ts';
import { notFoundPage, referencePage } from './pages/reference-page.ts';
import { createResponder, type Resource, type Responder } from './resource.ts';
import { assetHeaders, pageHeaders } from './security-headers.ts';

export type { DocumentationOptions } from './options.ts';

/** Seconds; after a deployment pages follow within this time. */
const PAGE_SECONDS = 300;
const HTML_TYPE = 'text/html; charset=utf-8';

/** What the application registers for GET and HEAD: the two patterns and the one responder behind them. */
export interface Documentation {
  paths: readonly string[];
  respond: Responder;
}

/**
 * The documentation of these operations (contract/processes#documentation). Everything is served from memory and from a
 * fixed set of files.
 */
export function createDocumentation(
  operations: readonly Operation[],
  options: DocumentationOptions,
): Documentation {
  const version = assetVersion();
  const links = createLinks(options.publicUrl, version);
  const headers = pageHeaders(options.publicUrl);
  const routes = new Map<string, Responder>();
  for (const [path, resource] of pages(operations, options, links)) {
    routes.set(path, createResponder(resource, headers));
  }
  for (const [path, responder] of eventPages(options, links, headers)) routes.set(path, responder);
  for (const [name, resource] of assetResources()) {
    routes.set(`/docs/assets/${version}/${name}`, createResponder(resource, assetHeaders));
  }
  const missing = notFoundPage(links);
  return {
    paths: ['/docs', '/docs/*'],
    respond: async (request) => {
      const { pathname } = new URL(request.url);
      const responder = routes.get(pathname);
      if (responder !== undefined) return responder(request);
      const withoutSlash = trimSlashes(pathname);
      if (withoutSlash !== pathname && routes.has(withoutSlash)) return redirect(links, withoutSlash);
      return new Response(missing, {
        status: 404,
        headers: { ...headers, 'Content-Type': HTML_TYPE, 'Cache-Control': 'no-store' },
      });
    },
  };
}

function pages(
  operations: readonly Operation[],
  options: DocumentationOptions,
  links: Links,
): [path: string, resource: Resource][] {
  const openApi = JSON.stringify(openApiDocument(operations, options));
  return [
    ['/docs', page(() => referencePage(links))],
    ['/docs/reference/errors', page(() => errorsPage(links, operations))],
    ['/docs/reference/events', page(() => eventsPage(links))],
    [
      '/docs/openapi.json',
      {
        contentType: 'application/json; charset=utf-8',
        caching: PAGE_SECONDS,
        isOpen: true,
        load: () => openApi,
      },
    ],
  ];
}

/** Each event type has one address with two representations: the page, and the schema of `data`. */
function eventPages(
  options: DocumentationOptions,
  links: Links,
  headers: Readonly<Record<string, string>>,
): [path: string, responder: Responder][] {
  return eventNames.map((name) => {
    const schema: Resource = {
      contentType: 'application/schema+json; charset=utf-8',
      caching: PAGE_SECONDS,
      isOpen: true,
      vary: 'Accept',
      load: () => JSON.stringify(eventSchemaDocument(name, options), null, 2),
    };
    const asPage = createResponder(
      { ...page(() => eventPage(name, links, options)), vary: 'Accept' },
      headers,
    );
    const asSchema = createResponder(schema, headers);
    const respond: Responder = (request) => {
      const format = new URL(request.url).searchParams.get('format');
      return wantsPage(request.headers.get('accept'), format) ? asPage(request) : asSchema(request);
    };
    return [`/docs/reference/events/${eventType(name)}`, respond];
  });
}

function page(load: () => string): Resource {
  return { contentType: HTML_TYPE, caching: PAGE_SECONDS, load };
}

function trimSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** The address without the slash at the end. Built from our own path, so it never leaves this site. */
function redirect(links: Links, path: string): Response {
  const location = links.reference + path.slice('/docs'.length);
  return new Response(null, { status: 308, headers: { Location: location, 'Cache-Control': 'no-store' } });
}
