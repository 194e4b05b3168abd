import type { TSchema } from '@sinclair/typebox';
import { describe, type JsonSchema, type SchemaOptions } from './json-schema.ts';

/** Collects the named schemas (`$id`) of operations: each is described once, under its name. */
export class ComponentSchemas {
  readonly #named = new Map<string, TSchema>();

  readonly options: SchemaOptions = { direction: 'sent', refOf: (schema) => this.#refer(schema) };

  constructor(...always: readonly TSchema[]) {
    for (const schema of always) this.#refer(schema);
  }

  /** Sorted by name, so that a new schema moves no other. */
  describeUsed(): Record<string, JsonSchema> {
    const described = new Map<string, JsonSchema>();
    // A description may refer to more schemas, which the map then yields as well.
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
