import type { RouteDefinition } from '../../http/route.ts';
import { eventNames, eventType } from '../../shared/events/catalogue.ts';
import { problemTable } from '../../shared/problem-table.ts';
import type { Links } from '../links.ts';

/**
 * Finds the reference page of a name in code type (an operation, a problem code, an event); undefined for any
 * other text.
 */
export type CodeNames = (text: string) => string | undefined;

/** The names of this API. Guides write them in backticks, and the pages link them. */
export function codeNames(links: Links, operations: readonly RouteDefinition[]): CodeNames {
  const addresses = new Map<string, string>([
    ...operations.map((operation): [string, string] => [operation.id, links.operation(operation)]),
    ...Object.keys(problemTable).map((code): [string, string] => [code, links.error(code)]),
    ...eventNames.flatMap((name): [string, string][] => [
      [name, links.event(name)],
      [eventType(name), links.event(name)],
    ]),
  ]);
  return (text) => addresses.get(text);
}
