import type { Operation } from '../http/operation.ts';
import { type EventName, eventType } from '../shared/events/catalogue.ts';
import type { ProblemCode } from '../shared/problem-table.ts';

/** Paths between the pages, below the path that clients see (a proxy may serve us under a prefix). */
export interface Links {
  reference: string;
  openApi: string;
  errors: string;
  events: string;
  error(code: ProblemCode): string;
  event(name: EventName): string;
  operation(operation: Pick<Operation, 'id' | 'tag'>): string;
  asset(name: string): string;
}

/** @param assetVersion part of every asset path, so that assets never change under their address. */
export function createLinks(publicUrl: string, assetVersion: string): Links {
  const base = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/docs`;
  return {
    reference: base,
    openApi: `${base}/openapi.json`,
    errors: `${base}/reference/errors`,
    events: `${base}/reference/events`,
    error: (code) => `${base}/reference/errors#${code}`,
    event: (name) => `${base}/reference/events/${eventType(name)}`,
    operation: ({ id, tag }) => `${base}#/${encodeURIComponent(tag)}/${id}`,
    asset: (name) => `${base}/assets/${assetVersion}/${name}`,
  };
}
