import type { Generator } from './generators.ts';

interface JsonObject {
  [key: string]: unknown;
}

type Schema = JsonObject;

/** A success of which a response is recorded. */
export interface RecordedSuccess {
  id: string;
  method: string;
  path: string;
  status: string;
  schema: Schema;
  body: unknown;
}

/** Finds the JSON successes of the document of which a response is recorded. */
export function recordedSuccesses(document: JsonObject, recorded: JsonObject): RecordedSuccess[] {
  const paths = document.paths as Record<string, Record<string, JsonObject>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, responses }]) => {
      const id = String(operationId);
      const [status = '', response] =
        Object.entries(responses as Record<string, JsonObject>).find(([one]) => one.startsWith('2')) ?? [];
      const media = (response?.content as Record<string, { schema: Schema }> | undefined)?.[
        'application/json'
      ];
      if (media === undefined) return [];
      if (recorded[id] === undefined) throw new Error(`no response of ${id} is recorded`);
      return [{ id, method, path, status, schema: media.schema, body: recorded[id] }];
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
  document: JsonObject,
): string {
  const lines = successes.flatMap(({ schema, body, ...operation }) => {
    const type = success(operation);
    const samples = [body, ...nullVariants(schema, body, document)].map((sample) => JSON.stringify(sample));
    return [
      ...[...new Set(samples)].map((text, at) => `export const ${operation.id}_${at}: ${type} = ${text};`),
      `export const ${operation.id}_typed: Typed<${type}> = true;`,
    ];
  });
  return `${imports}\n${TYPED}\n${lines.join('\n')}\n`;
}

/** A program that prints what the Zod schemas of a generator refuse of the same responses. */
export function parsingProgram(
  imports: string,
  successes: readonly RecordedSuccess[],
  document: JsonObject,
): string {
  const samples = successes.map(({ id, schema, body }) => [
    id,
    [body, ...nullVariants(schema, body, document)],
  ]);
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
export function nullVariants(schema: Schema, body: unknown, document: JsonObject): unknown[] {
  return [withNulls(schema, body, document, isSingle), withNulls(schema, body, document, () => true)];
}

function isSingle(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function withNulls(
  schema: Schema,
  value: unknown,
  document: JsonObject,
  isReplaced: (value: unknown) => boolean,
): unknown {
  const full = resolve(schema, document);
  if (isNullable(full) && isReplaced(value)) return null;
  const members = ((full.anyOf as Schema[] | undefined) ?? [full]).map((member) => resolve(member, document));
  if (Array.isArray(value)) {
    const items = members.find(({ items: one }) => one !== undefined)?.items as Schema | undefined;
    return items === undefined ? value : value.map((one) => withNulls(items, one, document, isReplaced));
  }
  if (typeof value !== 'object' || value === null) return value;
  const properties = members.find((member) => hasAll(member, value))?.properties as
    | Record<string, Schema>
    | undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const property = properties?.[name];
      return [name, property === undefined ? one : withNulls(property, one, document, isReplaced)];
    }),
  );
}

/** Whether an object has every field that this member of a union requires. */
function hasAll({ properties, required = [] }: Schema, value: object): boolean {
  return properties !== undefined && (required as string[]).every((name) => Object.hasOwn(value, name));
}

function isNullable({ type, anyOf = [] }: Schema): boolean {
  if (Array.isArray(type)) return type.includes('null');
  return (anyOf as Schema[]).some((member) => member.type === 'null');
}

function resolve(schema: Schema, document: JsonObject): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  return (document.components as { schemas: Record<string, Schema> }).schemas[name] ?? schema;
}
