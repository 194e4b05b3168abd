import { ProblemSchema } from '../../http/problems/problem-schema.ts';
import { pathTemplate, type RouteDefinition } from '../../http/route.ts';
import { ComponentSchemas } from '../component-schemas.ts';
import type { DocumentationOptions } from '../options.ts';
import { responseHeaders } from './headers.ts';
import { operationObject } from './operation-object.ts';
import { headerParameters } from './parameters.ts';
import { SharedResponses } from './shared-responses.ts';
import { publicSurface, type Surface } from './surface.ts';
import { tagDescriptions } from './tags.ts';
import { deliveryParameters } from './webhooks.ts';

/**
 * OpenAPI 3.1 of the contract, from the definitions that the pipeline itself uses. The same input gives the
 * same bytes.
 */
export function openApiDocument(
  operations: readonly RouteDefinition[],
  options: DocumentationOptions,
  surface: Surface = publicSurface,
) {
  const schemas = new ComponentSchemas(ProblemSchema);
  const shared = new SharedResponses(operations, { docsUrl: options.docsUrl, prefix: surface.prefix });
  const context = { options, schemas: schemas.options, shared };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = pathTemplate(operation);
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = operationObject(operation, surface, context);
  }
  const webhooks = surface.webhooks?.(options, schemas.options);
  const { responses, examples } = shared.components();
  const used = referencesIn([paths, webhooks ?? {}, responses]);
  return {
    openapi: '3.1.0',
    info: {
      title: surface.title,
      version: surface.version,
      summary: surface.summary,
      description: surface.introduction(options),
      license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: surface.serverUrl(options) }],
    tags: usedTags(operations),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: schemas.describeUsed(),
      responses,
      examples,
      headers: used('headers', responseHeaders(surface.ratePolicies)),
      parameters: used('parameters', { ...headerParameters, ...deliveryParameters }),
      securitySchemes: { [surface.schemeName]: surface.scheme },
    },
    externalDocs: { url: `${options.docsUrl}/reference/errors`, description: 'Every error code, explained' },
  };
}

/** Picks the components of a kind that these parts of the document refer to. */
function referencesIn(parts: readonly object[]) {
  const text = JSON.stringify(parts);
  return <Component>(kind: string, all: Readonly<Record<string, Component>>): Record<string, Component> =>
    Object.fromEntries(
      Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
    );
}

function usedTags(operations: readonly RouteDefinition[]) {
  const used = new Set(operations.map(({ tag }) => tag));
  return Object.entries(tagDescriptions)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
