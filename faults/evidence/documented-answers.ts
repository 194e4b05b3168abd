import type { DocumentedOperation } from './facts.ts';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: { readonly code?: { readonly enum?: readonly string[] } };
}

interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Answer>>;
}

/** The parts of an OpenAPI document that say what is answered. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Answer>> };
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);
const RESPONSES = '#/components/responses/';

/** Which statuses and codes each operation may answer with, from the OpenAPI document. */
export function documentedAnswers(document: OpenApi): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => METHODS.has(method))
      .map(([method, { operationId, responses }]) => ({
        operationId,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
        answers: new Map(
          Object.entries(responses).map(([status, answer]) => [
            Number(status),
            codesOf(resolved(document, answer)),
          ]),
        ),
      })),
  );
}

function resolved(document: OpenApi, answer: Answer): Answer {
  if (answer.$ref === undefined) return answer;
  const found = document.components.responses[answer.$ref.slice(RESPONSES.length)];
  if (found === undefined) throw new Error(`${answer.$ref} leads nowhere`);
  return found;
}

function codesOf({ content = {} }: Answer): Set<string> {
  const schemas = Object.values(content).flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
  return new Set(schemas.flatMap(codesIn));
}

function codesIn({ allOf = [], properties }: Schema): readonly string[] {
  return [...(properties?.code?.enum ?? []), ...allOf.flatMap(codesIn)];
}
