import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
// Knows the formats `uri` and `byte`.
import '../../../src/http/elysia.ts';

interface Recordable {
  id: string;
  response: TSchema;
}

/** Whether the recorded response of an operation is still one that it can give. */
export function fits({ id, response }: Recordable, recorded: Readonly<Record<string, unknown>>): boolean {
  return recorded[id] !== undefined && Value.Check(response, recorded[id]);
}

/**
 * The operations whose responses are recorded: those that are named, or with `--all` every one. Without either those
 * whose recorded response is missing or no longer fits the schema: every sandbox has other values, so all others
 * stay as they are. Throws for an unknown name.
 */
export function examplesToRecord<Operation extends Recordable>(
  operations: readonly Operation[],
  recorded: Readonly<Record<string, unknown>>,
  asked: readonly string[],
): Operation[] {
  const unknown = asked.find((name) => name !== '--all' && !operations.some(({ id }) => id === name));
  if (unknown !== undefined) throw new Error(`there is no operation ${unknown} with a response`);
  if (asked.includes('--all')) return [...operations];
  if (asked.length > 0) return operations.filter(({ id }) => asked.includes(id));
  return operations.filter((operation) => !fits(operation, recorded));
}
