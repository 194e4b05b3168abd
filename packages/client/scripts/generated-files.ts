import { readFileSync } from 'node:fs';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { documentedEvents } from '../../../src/documentation/events/documented-events.ts';
import { toJsonSchema } from '../../../src/documentation/json-schema.ts';
import { eventNames, eventType } from '../../../src/shared/events/catalogue.ts';
import { type OpenApiDocument, operationRoutes, slimDocument } from './slim-document.ts';

interface NamedNode {
  name?: { text?: string };
}

const DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url);
const FOLDER = new URL('../src/generated/', import.meta.url);
const HEADING = '// Generated from docs/openapi.json and the event schemas: `npm run openapi:write`.\n';

/** The files of `src/generated/` as the sources of the service say they must be, by their full path. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenApiDocument;
  return new Map([
    [pathOf('api.ts'), HEADING + (await apiTypes(document))],
    [pathOf('operation-table.ts'), HEADING + operationTable(document)],
    [pathOf('sample-events.ts'), HEADING + sampleEvents()],
  ]);
}

async function apiTypes(document: OpenApiDocument): Promise<string> {
  const slim = slimDocument(document, eventDataSchemas(document));
  const nodes = await openapiTS(slim as unknown as OpenAPI3, { defaultNonNullable: false });
  // The same again by path, which nothing here looks up.
  const unused = new Set(['paths', 'webhooks', '$defs']);
  return astToString(nodes.filter((node) => !unused.has((node as NamedNode).name?.text ?? '')));
}

/** The schema of `data` by event type; what the document describes under a name is referred to. */
function eventDataSchemas(document: OpenApiDocument): Record<string, Record<string, unknown>> {
  const refOf = ({ $id: name }: { $id?: string }) =>
    name !== undefined && Object.hasOwn(document.components.schemas, name)
      ? `#/components/schemas/${name}`
      : undefined;
  return Object.fromEntries(
    eventNames.map((name) => [
      eventType(name),
      toJsonSchema(documentedEvents[name].schema, { direction: 'sent', refOf }),
    ]),
  );
}

function operationTable(document: OpenApiDocument): string {
  const rows = Object.entries(operationRoutes(document)).map(
    ([id, route]) => `  ${id}: ${JSON.stringify(route)},\n`,
  );
  return `export const operationTable = {\n${rows.join('')}} as const;\n`;
}

function sampleEvents(): string {
  const samples = eventNames.map((name) => {
    const { subject, example: data } = documentedEvents[name];
    return [eventType(name), { subject, data }] as const;
  });
  const json = JSON.stringify(Object.fromEntries(samples), null, 2);
  return `/** Subject and data of an event of every type. */\nexport const sampleEvents = ${json} as const;\n`;
}

function pathOf(name: string): string {
  return new URL(name, FOLDER).pathname;
}
