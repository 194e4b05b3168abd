import type { TObject, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { UsageError, type Values } from '../../packages/client/src/cli/kit/command.ts';
import type { OperationLinks } from '../features/operations/record.ts';
import type { Caller, KeyPart } from '../http/route.ts';
import { type InternalRouteDependencies, internalDefinitions, internalRoutes } from '../internal/routes.ts';
import { accountClient } from '../shared/gate.ts';
import { Problem } from '../shared/problem.ts';
import { schemaMistakes } from '../shared/schema-mistakes.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { type Command, readJsonFile } from './command.ts';

/** What a command passes on to an operation of the internal API. */
interface InternalRow extends Pick<Command, 'options' | 'examples' | 'destroys'> {
  /** By option, the parameter or field that gets its value. Default: the name of the option in camel case. */
  fields?: Readonly<Record<string, string>>;
  /** Fields of the body that no option sets. */
  body?: Readonly<Record<string, unknown>>;
  /** Options whose refusal by the operation is a mistake in the command line. */
  judgedOptions?: readonly string[];
}

/**
 * A command that does what an operation of the internal API does, by its handler. `--file` has the fields of the body
 * that no other option sets.
 * @param operation its id in docs/internal-openapi.json
 */
export function internalCommand(name: string, operation: string, summary: string, row: InternalRow): Command {
  const { judgedOptions = [] } = row;
  const definition = internalDefinitions.find(({ id }) => id === operation);
  if (definition === undefined) throw new Error(`the internal API has no operation ${operation}`);
  const properties = (schema: TSchema | undefined) => (schema as TObject | undefined)?.properties ?? {};
  const [params, fields] = [properties(definition.params), properties(definition.body)];
  return {
    ...row,
    name,
    summary,
    async run(dependencies, options) {
      const values = valuesOf(row, options, { ...fields, ...params });
      const file = options.file === undefined ? null : await readJsonFile(options);
      const isIn = (schema: TObject['properties']) => values.filter(([name]) => Object.hasOwn(schema, name));
      const body = { ...row.body, ...Object.fromEntries(isIn(fields)) };
      const input = {
        params: Object.fromEntries(isIn(params)),
        body: file === null || Object.keys(body).length > 0 ? { ...(file as object), ...body } : file,
      };
      try {
        return { ...(await perform(dependencies, operation, input)) };
      } catch (error) {
        throw mistakeIn(judgedOptions, row, error) ?? error;
      }
    },
  };
}

/** What the handlers of the internal API need, from the parts of the CLI. It has no key to sign links to result files. */
export function internalDependencies(
  dependencies: AdminDependencies,
): InternalRouteDependencies & { links: OperationLinks } {
  const { docsUrl } = dependencies.config;
  const links = { docsUrl, resultUrl: () => null };
  return { ...dependencies, links };
}

const ADMINISTRATOR = 'administrator';
/** No handler of the internal API reads its caller: the rights of a service key are checked before it. */
const caller = {
  principal: { id: ADMINISTRATOR, accountId: ADMINISTRATOR },
  expectedVersion: 0,
} as Caller<KeyPart>;

async function perform(
  dependencies: AdminDependencies,
  operation: string,
  { params, body }: { params: object; body: unknown },
): Promise<object> {
  const routes = internalRoutes(internalDependencies(dependencies));
  const route = routes.find(({ definition }) => definition.id === operation);
  if (route?.kind !== 'mutation') throw new Error(`${operation} changes nothing`);
  const input = {
    params,
    query: {},
    body,
    client: accountClient(ADMINISTRATOR),
    freshness: 'granted',
  } as const;
  const prepared = await route.prepare?.(input, caller);
  const { database } = dependencies;
  const outcome = { body: {} };
  await database.begin(async (transaction) => {
    const reply = await route.handle(input, caller, transaction, prepared);
    outcome.body = reply.body as object;
  });
  return outcome.body;
}

function fieldOf({ fields = {} }: InternalRow, option: string): string {
  return fields[option] ?? option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The values of the options, in the types of their parameters and fields. */
function valuesOf(
  row: InternalRow,
  options: Values,
  schemas: TObject['properties'],
): [name: string, value: unknown][] {
  return Object.keys(row.options).flatMap((option) => {
    const [text, name] = [options[option], fieldOf(row, option)];
    const schema = schemas[name];
    return text === undefined || schema === undefined ? [] : [[name, readValue(text, option, schema)]];
  });
}

function readValue(text: string, option: string, schema: TSchema): unknown {
  switch (schema.type) {
    case 'integer':
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'object': {
      const value: unknown = JSON.parse(text);
      if (Value.Check(schema, value)) return value;
      throw new UsageError(`--${option} is invalid: ${schemaMistakes(Value.Errors(schema, value))}`);
    }
    default:
      // As the database writes it.
      return schema.format === 'uuid' ? text.toLowerCase() : text;
  }
}

/** The refusal of an option as a mistake in the command line; undefined for any other failure. */
function mistakeIn(
  judgedOptions: readonly string[],
  row: InternalRow,
  error: unknown,
): UsageError | undefined {
  if (!(error instanceof Problem)) return undefined;
  const { message, facts } = error;
  const option = judgedOptions.find((one) =>
    facts.errors?.some(({ path }) => path === `/body/${fieldOf(row, one)}`),
  );
  return option === undefined ? undefined : new UsageError(`--${option}: ${message}`);
}
