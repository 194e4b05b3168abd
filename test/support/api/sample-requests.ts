import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { isIdempotent, type RouteDefinition } from '../../../src/http/route.ts';

/** One red pixel. */
export const SMALL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWP4z8AAAAMBAQCc479ZAAAAAElFTkSuQmCC',
  'base64',
);

/** A request made of the operation's examples. It passes every check before the operation's own. */
export function sampleRequest(operation: RouteDefinition): {
  path: string;
  init: RequestInit;
  headers: Record<string, string>;
} {
  const isMutation = isIdempotent(operation);
  const { exampleBody: body, upload } = operation;
  if (operation.body !== undefined && !Value.Check(operation.body, body))
    throw new Error(`${operation.id} has no exampleBody that its schema accepts`);
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
    exampleOf(operation.params?.properties[name], `${operation.id}, path ${name}`),
  );
  return {
    path: path + requiredQuery(operation),
    init: {
      method: operation.method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(upload && { body: SMALL_PNG }),
    },
    headers: {
      ...(isMutation && { 'idempotency-key': crypto.randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(upload && { 'content-type': 'image/png' }),
      ...(operation.versioned === true && { 'if-match': '"1"' }),
    },
  };
}

function requiredQuery({ id, query, exampleQuery = [] }: RouteDefinition): string {
  const required = [...(query?.required ?? []), ...exampleQuery].filter(
    (name) => query?.properties[name]?.default === undefined,
  );
  if (required.length === 0) return '';
  const search = new URLSearchParams();
  for (const name of required) search.set(name, exampleOf(query?.properties[name], `${id}, query ${name}`));
  return `?${search}`;
}

/** The first example of a field, or the first of the values it allows. */
function exampleOf(field: TSchema | undefined, where: string): string {
  const example = field?.examples?.[0] ?? field?.anyOf?.[0]?.const;
  if (example === undefined) throw new Error(`${where}: its schema needs \`examples\``);
  return String(example);
}
