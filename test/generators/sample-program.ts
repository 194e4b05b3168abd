import { DocumentPart } from '../support/documentation/document-part.ts';
import type { Generator } from './generators.ts';

/** A success of which a response is recorded. */
export interface RecordedSuccess {
  id: string;
  method: string;
  path: string;
  status: string;
  schema: DocumentPart;
  body: unknown;
}

/** Finds the JSON successes of the document of which a response is recorded. */
export function recordedSuccesses(
  document: object,
  recorded: Readonly<Record<string, unknown>>,
): RecordedSuccess[] {
  return new DocumentPart(document).members('paths').flatMap(([path, item]) =>
    item.members().flatMap(([method, operation]) => {
      const id: string = operation.value.operationId;
      const [status = '', response] =
        operation.members('responses').find(([one]) => one.startsWith('2')) ?? [];
      const schema = response?.get('content', 'application/json', 'schema');
      if (schema === undefined) return [];
      if (recorded[id] === undefined) throw new Error(`no response of ${id} is recorded`);
      return [{ id, method, path, status, schema, body: recorded[id] }];
    }),
  );
}

/**
 * A program that compiles if the types of a generator take each recorded response, also with null in each field that
 * may be null, and if no field of a response has lost its type.
 */
export function sampleProgram(
  { imports, success }: Required<Pick<Generator, 'imports' | 'success'>>,
  successes: readonly RecordedSuccess[],
): string {
  const lines = successes.flatMap(({ schema, body, ...operation }) => {
    const type = success(operation);
    const samples = new Set([body, ...nullVariants(schema, body)].map((sample) => JSON.stringify(sample)));
    return [
      ...samples.values().map((text, at) => `export const ${operation.id}_${at}: ${type} = ${text};`),
      `export const ${operation.id}_typed: Typed<${type}> = true;`,
    ];
  });
  return `${imports}\n${TYPED}\n${lines.join('\n')}\n`;
}

/** A program that prints what the Zod schemas of a generator refuse of the same responses. */
export function parsingProgram(imports: string, successes: readonly RecordedSuccess[]): string {
  const samples = successes.map(({ id, schema, body }) => [id, [body, ...nullVariants(schema, body)]]);
  return `${imports}
const samples: Record<string, unknown[]> = ${JSON.stringify(Object.fromEntries(samples))};
for (const [id, bodies] of Object.entries(samples)) {
  const response = api.api.find(({ alias }) => alias === id)?.response;
  for (const body of bodies) {
    const { error } = response?.safeParse(body) ?? { error: 'the operation is missing' };
    if (error !== undefined) process.stdout.write(id + ': ' + String(error) + '\\n');
  }
}
`;
}

/** `true`, or the paths of what is `any` or `unknown`; maps with any value are left out. */
const TYPED = `type Untyped<T, Path extends string = '.'> = unknown extends T
  ? Path
  : T extends string | number | boolean | null | undefined
    ? never
    : T extends readonly (infer Item)[]
      ? Untyped<Item, \`\${Path}[]\`>
      : string extends keyof T
        ? never
        : { [Key in keyof T & string]-?: Untyped<T[Key], \`\${Path}.\${Key}\`> }[keyof T & string];
type Typed<T> = [Untyped<T>] extends [never] ? true : Untyped<T>;
`;

/** The record with null wherever its schema allows it: in single values alone, and in whole objects too. */
function nullVariants(schema: DocumentPart, body: unknown): unknown[] {
  return [withNulls(schema, body, isSingle), withNulls(schema, body, () => true)];
}

function isSingle(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function withNulls(schema: DocumentPart, value: unknown, isReplaced: (value: unknown) => boolean): unknown {
  if (isNullable(schema) && isReplaced(value)) return null;
  const alternatives = schema.members('anyOf').map(([, member]) => member);
  const members = alternatives.length === 0 ? [schema] : alternatives;
  if (Array.isArray(value)) {
    const [items] = members.flatMap((member) => member.get('items') ?? []);
    return items === undefined ? value : value.map((one) => withNulls(items, one, isReplaced));
  }
  if (typeof value !== 'object' || value === null) return value;
  const record = members.find((member) => hasAll(member, value));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const property = record?.get('properties', name);
      return [name, property === undefined ? one : withNulls(property, one, isReplaced)];
    }),
  );
}

/** Whether an object has every field that this member of a union requires. */
function hasAll(member: DocumentPart, value: object): boolean {
  const required: readonly string[] = member.value.required ?? [];
  return member.get('properties') !== undefined && required.every((name) => Object.hasOwn(value, name));
}

function isNullable(schema: DocumentPart): boolean {
  const { type } = schema.value;
  if (Array.isArray(type)) return type.includes('null');
  return schema.members('anyOf').some(([, { value }]) => value.type === 'null');
}
