import type { TSchema } from '@sinclair/typebox';
import type { Operation } from '../../http/operation.ts';
import { ProblemSchema } from '../../http/problem-schema.ts';
import { describe, type JsonSchema, type SchemaOptions } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';
import { responseHeaders } from './headers.ts';
import { operationObject } from './operation-object.ts';
import { headerParameters } from './parameters.ts';
import { publicSurface, type Surface } from './surface.ts';
import { tagDescriptions } from './tags.ts';

/** OpenAPI 3.1 of the contract, from the objects that the pipeline itself follows. The same input, the same bytes. */
export function openApiDocument(
  operations: readonly Operation[],
  options: DocumentationOptions,
  surface: Surface = publicSurface,
) {
  const schemas = new ComponentSchemas(ProblemSchema);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = operationObject(
      operation,
      options,
      surface,
      schemas.options,
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: surface.title,
      version: surface.version,
      summary: surface.summary,
      description: surface.introduction(options),
    },
    servers: [{ url: surface.serverUrl(options) }],
    tags: usedTags(operations),
    paths,
    components: {
      schemas: schemas.describeUsed(),
      headers: responseHeaders(surface.ratePolicies),
      parameters: headerParameters,
      securitySchemes: { [surface.schemeName]: surface.scheme },
    },
    externalDocs: { url: `${options.docsUrl}/reference/errors`, description: 'Every error code, explained' },
  };
}

function usedTags(operations: readonly Operation[]) {
  const used = new Set(operations.map(({ tag }) => tag));
  return Object.entries(tagDescriptions)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}

/** Collects the schemas with a name (`$id`) that operations refer to: each is described once, under that name. */
class ComponentSchemas {
  readonly #named = new Map<string, TSchema>();

  readonly options: SchemaOptions = { direction: 'sent', refOf: (schema) => this.#refer(schema) };

  constructor(...always: readonly TSchema[]) {
    for (const schema of always) this.#refer(schema);
  }

  /** By name, so that a new one moves no other. */
  describeUsed(): Record<string, JsonSchema> {
    const described = new Map<string, JsonSchema>();
    // Describing one may refer to others, which the map then yields as well.
    for (const [name, schema] of this.#named) described.set(name, describe(schema, this.options));
    return Object.fromEntries([...described].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  #refer(schema: TSchema): string | undefined {
    const { $id: name } = schema;
    if (name === undefined) return undefined;
    if ((this.#named.get(name) ?? schema) !== schema) throw new Error(`two schemas have the name ${name}`);
    this.#named.set(name, schema);
    return `#/components/schemas/${name}`;
  }
}
