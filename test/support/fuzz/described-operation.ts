import { DocumentPart } from '../documentation/document-part.ts';
import type { SchemaJudge } from '../documentation/schema-judge.ts';

export interface DescribedParameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly schema: DocumentPart;
}

/** An operation as the document alone describes it. */
export class DescribedOperation {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly DescribedParameter[];
  readonly #part: DocumentPart;

  constructor(part: DocumentPart, path: string, method: string) {
    this.#part = part;
    this.path = path;
    this.method = method;
    this.id = part.value.operationId;
    this.parameters = part.members('parameters').flatMap(([, parameter]) => {
      const { name, in: place, required } = parameter.value;
      const schema = parameter.get('schema');
      return schema === undefined ? [] : [{ name, place, isRequired: required === true, schema }];
    });
  }

  /** Whether it takes no key. */
  get isAnonymous(): boolean {
    return this.#part.value.security.length === 0;
  }

  /** Media types and schemas of its body. */
  get bodies(): [mediaType: string, schema: DocumentPart | undefined][] {
    return this.#part
      .members('requestBody', 'content')
      .map(([mediaType, content]) => [mediaType, content.get('schema')]);
  }

  /** Where a response is none that the document describes; undefined where it is one. */
  faultOf(judge: SchemaJudge, { status, headers }: Response, text: string): string | undefined {
    const described = this.#part.get('responses', status);
    if (described === undefined) return `the status ${status} is not documented`;
    for (const [name, header] of described.members('headers')) {
      const schema = header.get('schema');
      const value = headers.get(name);
      if (value === null && header.value.required === true) return `it has no ${name}`;
      if (value === null || schema === undefined) continue;
      const fault = judge.faultOf(schema, schema.value.type === 'integer' ? Number(value) : value);
      if (fault !== undefined) return `${name}: ${value}: ${fault}`;
    }
    const mediaType = headers.get('content-type')?.split(';')[0] ?? '';
    const content = described.members('content');
    if (content.length === 0) return text === '' ? undefined : `a body of ${mediaType}`;
    const schema = content.find(([name]) => name === mediaType)?.[1].get('schema');
    if (schema === undefined) return `the type ${mediaType} is not documented`;
    return mediaType.endsWith('json') ? judge.faultOf(schema, JSON.parse(text)) : undefined;
  }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export function describedOperations(document: object): DescribedOperation[] {
  return new DocumentPart(document)
    .members('paths')
    .flatMap(([path, item]) =>
      METHODS.flatMap((method) => item.get(method) ?? []).map(
        (part) => new DescribedOperation(part, path, part.pointer.split('/').at(-1)?.toUpperCase() ?? ''),
      ),
    );
}
