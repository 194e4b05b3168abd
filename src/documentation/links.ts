import type { RouteDefinition } from '../http/route.ts';
import { type EventName, eventType } from '../shared/events/catalogue.ts';

/** Paths of the pages, below the path that clients see (a proxy may serve us under a prefix). */
export interface Links {
  home: string;
  reference: string;
  errors: string;
  events: string;
  search: string;
  guide(slug: string): string;
  /** The page of a problem code, or of a result by its anchor in the list. */
  error(id: string): string;
  event(name: EventName): string;
  operation(operation: Pick<RouteDefinition, 'id'>): string;
  /** A document for machines, by its file name. */
  document(name: string): string;
  asset(name: string): string;
}

/** @param assetVersion part of every asset path, so that the content at a path never changes */
export function createLinks(publicUrl: string, assetVersion: string): Links {
  const base = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/docs`;
  return {
    home: base,
    reference: `${base}/reference`,
    errors: `${base}/reference/errors`,
    events: `${base}/reference/events`,
    search: `${base}/search.json`,
    guide: (slug) => `${base}/guides/${slug}`,
    error: (id) => `${base}/reference/errors/${id}`,
    event: (name) => `${base}/reference/events/${eventType(name)}`,
    operation: ({ id }) => `${base}/reference/operations/${id}`,
    document: (name) => `${base}/${name}`,
    asset: (name) => `${base}/assets/${assetVersion}/${name}`,
  };
}
