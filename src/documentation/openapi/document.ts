import type { TSchema } from '@sinclair/typebox';
import type { Operation } from '../../http/operation.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { describe, type JsonSchema, type SchemaOptions } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';
import { schemaNames } from '../schema-names.ts';
import { responseHeaders } from './headers.ts';
import { overview, SECURITY_SCHEME, securityScheme, tagDescriptions } from './introduction.ts';
import { operationObject } from './operation-object.ts';
import { headerParameters } from './parameters.ts';

/** OpenAPI 3.1 of the contract, from the objects that the pipeline itself follows. The same input, the same bytes. */
export function openApiDocument(operations: readonly Operation[], options: DocumentationOptions) {
  const schemas = new ComponentSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = operationObject(operation, options, schemas.options);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Launchwire API',
      version: '2',
      summary: 'Token launches, market data, wallet-signed transactions and webhooks on Solana',
      description: overview(options),
    },
    servers: [{ url: `${options.publicUrl}${API_PREFIX}` }],
    tags: usedTags(operations),
    paths,
    components: {
      schemas: schemas.describeUsed(),
      headers: responseHeaders,
      parameters: headerParameters,
      securitySchemes: { [SECURITY_SCHEME]: securityScheme },
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

/** Remembers which named records were referred to, so that only those become components. */
class ComponentSchemas {
  readonly #used = new Set<string>(['Problem']);

  readonly options: SchemaOptions = {
    direction: 'sent',
    refOf: (schema: TSchema) => {
      const name = schemaNames.get(schema);
      if (name === undefined) return undefined;
      this.#used.add(name);
      return `#/components/schemas/${name}`;
    },
  };

  /** In the order of the names; a component refers only to later ones. */
  describeUsed(): Record<string, JsonSchema> {
    const components: Record<string, JsonSchema> = {};
    for (const [schema, name] of schemaNames) {
      if (this.#used.has(name)) components[name] = describe(schema, this.options);
    }
    return components;
  }
}
