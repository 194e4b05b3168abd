import type { RouteDefinition } from '../http/route.ts';
import { problemCodes } from '../shared/problem-table.ts';
import { guides } from './guides/catalogue.ts';
import type { GuideReader } from './guides/read-guide.ts';
import type { Links } from './links.ts';
import type { SiteOptions } from './options.ts';
import { resultAreas } from './problems/result-areas.ts';
import type { Resource } from './resource.ts';

/** Seconds; after a deployment pages change within this time. */
export const PAGE_SECONDS = 300;
export const HTML_TYPE = 'text/html; charset=utf-8';

export interface Site {
  operations: readonly RouteDefinition[];
  options: SiteOptions;
  links: Links;
  readGuide: GuideReader;
}

/**
 * Lists every page but those of events, by its path. A page is rendered at its first request and loads its
 * renderer then.
 */
export function sitePages({ operations, options, links, readGuide }: Site): [path: string, page: Resource][] {
  return [
    ['/docs', page(async () => (await import('./pages/home-page.ts')).homePage(links, operations, options))],
    ...guides.map((guide): [string, Resource] => [
      `/docs/guides/${guide.slug}`,
      page(async () => {
        const [{ guidePage }, content] = await Promise.all([
          import('./pages/guide-page.ts'),
          readGuide(guide),
        ]);
        return guidePage(guide, content, links);
      }),
    ]),
    [
      '/docs/reference',
      page(async () =>
        (await import('./pages/operations-page.ts')).operationsPage(links, operations, options),
      ),
    ],
    ...operations.map((operation): [string, Resource] => [
      `/docs/reference/operations/${operation.id}`,
      page(async () =>
        (await import('./pages/operation-page.ts')).operationPage(operation, {
          ...options,
          links,
          operations,
        }),
      ),
    ]),
    ['/docs/reference/errors', page(async () => (await import('./pages/errors-page.ts')).errorsPage(links))],
    ...problemCodes.map((code): [string, Resource] => [
      `/docs/reference/errors/${code}`,
      page(async () =>
        (await import('./pages/error-page.ts')).errorPage(code, { ...options, links, operations }),
      ),
    ]),
    ...resultAreas.flatMap((area) =>
      area.results.map((result): [string, Resource] => [
        `/docs/reference/errors/${result.id}`,
        page(async () => (await import('./pages/error-page.ts')).resultPage(area, result, links)),
      ]),
    ),
    ['/docs/reference/events', page(async () => (await import('./pages/events-page.ts')).eventsPage(links))],
  ];
}

export function page(load: () => Promise<string>): Resource {
  return { contentType: HTML_TYPE, caching: PAGE_SECONDS, load };
}
