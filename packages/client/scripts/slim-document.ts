/** The source of the client's types: the published document without headers, examples and texts of errors. */

interface JsonObject {
  [key: string]: unknown;
}

interface MediaTypes {
  content?: Record<string, { schema: JsonObject }>;
}

interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { $ref?: string; in?: string; name?: string }[];
  requestBody?: MediaTypes & { required?: boolean };
  responses: Record<string, MediaTypes>;
  security?: unknown[];
}

export interface OpenApiDocument {
  openapi: string;
  info: JsonObject;
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, JsonObject>; [kind: string]: unknown };
}

/** One operation as the client calls it. */
export interface OperationRoute {
  method: string;
  path: string;
  /** Needs no API key, so none is sent. */
  anonymous?: true;
  /** Needs `If-Match`. */
  versioned?: true;
  /** Takes a cursor, and returns `{ data, page }`. */
  paged?: true;
  /** Always sends a body, at least `{}`. */
  body?: true;
  /** Its body is a file instead of JSON, which takes no idempotency key. */
  upload?: true;
}

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

/** The document that `openapi-typescript` gets. `eventData` are the schemas of events by type. */
export function slimDocument(
  document: OpenApiDocument,
  eventData: Readonly<Record<string, JsonObject>>,
): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const [path, method, operation] of jsonOperations(document)) {
    paths[path] = { ...paths[path], [method]: slimOperation(operation, document) };
  }
  const all = Object.values(document.paths).flatMap((item) => Object.values(item));
  const codes = all.flatMap((operation) => problemCodes(operation, document));
  const { Problem, ...schemas } = document.components.schemas;
  const properties = Problem?.properties as JsonObject;
  return {
    openapi: document.openapi,
    info: { title: 'Launchwire', version: '2' },
    paths,
    components: {
      schemas: {
        ...schemas,
        Problem: {
          ...Problem,
          properties: { ...properties, code: { $ref: '#/components/schemas/ProblemCode' } },
        },
        ProblemCode: { type: 'string', enum: [...new Set(codes)].sort() },
        EventData: { type: 'object', required: Object.keys(eventData), properties: eventData },
      },
    },
  };
}

/** Every operation that answers with JSON, by its id. */
export function operationRoutes(document: OpenApiDocument): Record<string, OperationRoute> {
  return Object.fromEntries(
    jsonOperations(document).map(([path, method, operation]) => {
      const route: OperationRoute = { method: method.toUpperCase(), path };
      if (operation.security?.length === 0) route.anonymous = true;
      const isVersioned = operation.parameters?.some(
        ({ $ref }) => $ref === '#/components/parameters/IfMatch',
      );
      if (isVersioned === true) route.versioned = true;
      if (operation.parameters?.some(({ name }) => name === 'cursor') === true) route.paged = true;
      const bodyTypes = Object.keys(operation.requestBody?.content ?? {});
      if (bodyTypes.length > 0 && !bodyTypes.includes(JSON_TYPE)) route.upload = true;
      else if (operation.requestBody?.required === true) route.body = true;
      return [operation.operationId, route];
    }),
  );
}

function jsonOperations({ paths }: OpenApiDocument): [path: string, method: string, OperationObject][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => successOf(operation) !== undefined)
      .map(([method, operation]) => [path, method, operation] as [string, string, OperationObject]),
  );
}

function successOf({ responses }: OperationObject): [status: string, schema: JsonObject] | undefined {
  for (const [status, { content }] of Object.entries(responses)) {
    const media = content?.[JSON_TYPE];
    if (status.startsWith('2') && media !== undefined) return [status, media.schema];
  }
  return undefined;
}

function slimOperation(operation: OperationObject, document: OpenApiDocument): OperationObject {
  const { operationId, description, requestBody, parameters = [] } = operation;
  const [status = '', schema = {}] = successOf(operation) ?? [];
  const codes = { type: 'string', enum: problemCodes(operation, document) };
  return {
    operationId,
    summary: '',
    description,
    parameters: parameters.filter(({ in: place }) => place === 'path' || place === 'query'),
    ...(requestBody && { requestBody: withoutFiles(requestBody) }),
    responses: {
      [status]: { description: '', content: { [JSON_TYPE]: { schema } } } as MediaTypes,
      default: {
        description: '',
        content: {
          [PROBLEM_TYPE]: { schema: { type: 'object', required: ['code'], properties: { code: codes } } },
        },
      } as MediaTypes,
    },
  };
}

/** The body of an upload is a `Blob` or bytes, for which `openapi-typescript` has a string. */
function withoutFiles({ content = {}, ...rest }: MediaTypes): MediaTypes {
  const described = Object.entries(content).map(([type, { schema }]) => [
    type,
    { schema: schema.format === 'binary' ? {} : schema },
  ]);
  return { ...rest, content: Object.fromEntries(described) };
}

/** The codes of the problems that an operation may answer with, in the order of its responses. */
function problemCodes({ responses }: OperationObject, document: OpenApiDocument): string[] {
  return Object.values(responses).flatMap((response) => codesIn(resolve(response, document), document));
}

/** Enumerations of `code` anywhere in the schema of a problem response, without those of the base schema. */
function codesIn(value: unknown, document: OpenApiDocument): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const node = value as JsonObject;
  if (node[PROBLEM_TYPE] !== undefined) {
    const { schema } = node[PROBLEM_TYPE] as { schema: JsonObject };
    const parts = (schema.allOf as JsonObject[] | undefined) ?? [schema];
    return parts.flatMap((part) => {
      const properties = resolve(part, document).properties as { code?: { enum?: string[] } } | undefined;
      return properties?.code?.enum ?? [];
    });
  }
  return node.content === undefined ? [] : codesIn(node.content, document);
}

function resolve(node: object, document: OpenApiDocument): JsonObject {
  const { $ref: reference } = node as { $ref?: string };
  if (reference === undefined) return node as JsonObject;
  const keys = reference.replace('#/', '').split('/');
  return keys.reduce<unknown>((at, key) => (at as JsonObject)[key], document) as JsonObject;
}
