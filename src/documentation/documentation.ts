import { pathOf, queryOf } from '../http/request-address.ts';
import type { RouteDefinition } from '../http/route.ts';
import { eventNames, eventType } from '../shared/events/catalogue.ts';
import { assetResources, assetVersion } from './asset-files.ts';
import { createGuideReader } from './guides/read-guide.ts';
import { createLinks, type Links } from './links.ts';
import { wantsPage } from './negotiation.ts';
import type { SiteOptions } from './options.ts';
import { notFoundPage } from './pages/not-found-page.ts';
import { createResponder, type Resource, type Responder } from './resource.ts';
import { siteDocuments } from './site-documents.ts';
import { HTML_TYPE, PAGE_SECONDS, page, sitePages } from './site-pages.ts';

/** Patterns for GET and HEAD, with their single responder. */
export interface Documentation {
  paths: readonly string[];
  /** Every address with content of its own. */
  addresses: readonly string[];
  respond: Responder;
}

/**
 * The documentation of these operations (contract/processes#documentation). It is served from memory and from
 * a fixed set of files; each page is rendered once, at its first request.
 */
export function createDocumentation(
  operations: readonly RouteDefinition[],
  options: SiteOptions,
): Documentation {
  const version = assetVersion();
  const links = createLinks(options.publicUrl, version);
  const serviceLinks = { Link: serviceLinksOf(links) };
  const headers = { ...pageHeaders(options.publicUrl), ...serviceLinks };
  const site = { operations, options, links, readGuide: createGuideReader(links, operations, options) };
  const routes = new Map<string, Responder>(eventPages(options, links, headers));
  for (const [path, resource] of [...sitePages(site), ...siteDocuments(site)]) {
    routes.set(path, createResponder(resource, headers));
  }
  for (const [name, resource] of assetResources()) {
    routes.set(`/docs/assets/${version}/${name}`, createResponder(resource, assetHeaders));
  }
  const missing = notFoundPage(links);
  return {
    paths: ['/', '/llms.txt', '/docs', '/docs/*'],
    addresses: [...routes.keys()],
    respond: async (request) => {
      const pathname = pathOf(request);
      if (pathname === '/') return redirect(links.home, 302, serviceLinks);
      // Tools look for it at the root.
      if (pathname === '/llms.txt') return redirect(`${links.home}/llms.txt`, 302);
      const responder = routes.get(pathname);
      if (responder !== undefined) return responder(request);
      const withoutSlash = trimSlashes(pathname);
      if (withoutSlash !== pathname && routes.has(withoutSlash)) {
        return redirect(links.home + withoutSlash.slice('/docs'.length), 308);
      }
      return new Response(missing, {
        status: 404,
        headers: { ...headers, 'Content-Type': HTML_TYPE, 'Cache-Control': 'no-store' },
      });
    },
  };
}

/** Each event type has one address with two representations: the page, and the schema of `data`. */
function eventPages(
  options: SiteOptions,
  links: Links,
  headers: Readonly<Record<string, string>>,
): [path: string, responder: Responder][] {
  return eventNames.map((name) => {
    const schema: Resource = {
      contentType: 'application/schema+json; charset=utf-8',
      caching: PAGE_SECONDS,
      isOpen: true,
      vary: 'Accept',
      load: async () => {
        const { eventSchemaDocument } = await import('./events/event-documents.ts');
        return JSON.stringify(eventSchemaDocument(name, options), null, 2);
      },
    };
    const load = async () => (await import('./pages/event-page.ts')).eventPage(name, links, options);
    const asPage = createResponder({ ...page(load), vary: 'Accept' }, headers);
    const asSchema = createResponder(schema, headers);
    const respond: Responder = (request) => {
      const format = new URLSearchParams(queryOf(request)).get('format');
      return wantsPage(request.headers.get('accept'), format) ? asPage(request) : asSchema(request);
    };
    return [`/docs/reference/events/${eventType(name)}`, respond];
  });
}

function trimSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Redirects within this site: the location consists of our own paths, so it never leads away. */
function redirect(location: string, status: 302 | 308, more: Record<string, string> = {}): Response {
  const headers = { ...more, Location: location, 'Cache-Control': 'no-store' };
  return new Response(null, { status, headers });
}

/** Where programs and people find the description of the API (RFC 8631). */
function serviceLinksOf(links: Links): string {
  return [
    `<${links.document('openapi.json')}>; rel="service-desc"; type="application/json"`,
    `<${links.home}>; rel="service-doc"; type="text/html"`,
  ].join(', ');
}

/** Assets are files of a known type and load nothing else. */
const assetHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Pages run only our own files: nothing inline, nothing from elsewhere; requests go to this origin and to the
 * API. Framing is forbidden, since a reader can type a key in here.
 */
function pageHeaders(publicUrl: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
}
