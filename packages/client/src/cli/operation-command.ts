import { operationTable } from '../generated/operation-table.ts';
import type { Arguments, Item, OperationName, PagedOperationName, Result } from '../operations.ts';
import type { CallOptions } from '../request.ts';
import type { Command, Invocation } from './command.ts';
import { type Declaration, UsageError } from './kit/command.ts';
import { type Option, wholeNumber } from './kit/option.ts';

type ParameterName<Name extends OperationName> = keyof Arguments<Name> & string;

/** What a command prints of a result: an item of a list, or the record. */
type Printed<Name extends OperationName> = Name extends PagedOperationName
  ? Item<Name>
  : Result<Name> extends { data: readonly (infer One)[] }
    ? One
    : Result<Name>;

/** What one call takes, and what its command prints of the result. */
interface CallRow<Name extends OperationName> extends Pick<Declaration, 'details' | 'options' | 'examples'> {
  /** By the parameter that gets the value. */
  arguments?: { readonly [Parameter in ParameterName<Name>]?: Option };
  /** The parameters that get the values of options with another name. */
  parameters?: Readonly<Record<string, ParameterName<Name>>>;
  /** By option, reads a value that is not sent as it is. Throws `UsageError`. */
  read?: Readonly<Record<string, (text: string) => unknown>>;
  /** Refuses a call without any of the options. */
  needsOption?: true;
  /** Parameters beyond those of the line. */
  complete?(invocation: Invocation): Promise<Partial<Arguments<Name>>>;
  /** The columns of a list, with spaces between them. If unset, the result is one record. */
  columns?: string;
  /** How many items of pages are printed. Default: 20, at most 1,000. */
  limit?: { default: number; most: number };
  /** The list of a record that people read as a table. Programs get the record. */
  list?(result: Result<Name>): readonly object[];
  forPeople?(printed: Printed<Name>): object;
  /** Says something beside the result. */
  note?(result: Result<Name>): string | undefined;
}

/** The methods of an operation for a caller that does not know it. */
interface Method {
  (parameters: object, options: CallOptions): Promise<object>;
  all(parameters: object, options: CallOptions): AsyncIterable<object>;
}

/** A command that makes one call of an operation. */
export function operationCommand<Name extends OperationName>(
  name: string,
  operation: Name,
  summary: string,
  row: CallRow<Name> = {},
): Command {
  const { columns, limit = { default: 20, most: 1_000 }, options } = row;
  const isPaged = 'paged' in operationTable[operation];
  const forPeople = row.forPeople as ((printed: object) => object) | undefined;
  return {
    ...row,
    name,
    summary,
    arguments: (row.arguments ?? {}) as Readonly<Record<string, Option>>,
    options: isPaged ? { ...options, limit: limitOption(limit) } : (options ?? {}),
    async run(invocation) {
      const { client, output, signal } = invocation;
      const parameters = { ...parametersOf(row, invocation), ...(await row.complete?.(invocation)) };
      const method = client()[operation] as unknown as Method;
      if (isPaged && columns !== undefined) {
        const rows = await take(method.all(parameters, { signal }), Number(invocation.options.limit));
        return output.table(rows, columns.split(' '), forPeople);
      }
      const result = (await method(parameters, { signal })) as Result<Name> & { data: object[] };
      if (columns === undefined || (row.list !== undefined && output.isJson))
        output.record(result, forPeople?.(result));
      else output.table(row.list?.(result) ?? result.data, columns.split(' '), forPeople);
      const note = row.note?.(result);
      if (note !== undefined) output.note(note);
    },
  };
}

export function limitOption({ default: count, most }: { default: number; most: number }): Option {
  return wholeNumber('how many', 'number', { most, default: String(count) });
}

/** The first items. It reads no page beyond them. */
export async function take<One>(items: AsyncIterable<One>, count: number): Promise<One[]> {
  const first: One[] = [];
  for await (const item of items) {
    first.push(item);
    if (first.length >= count) break;
  }
  return first;
}

function parametersOf<Name extends OperationName>(
  { options = {}, parameters = {}, read = {}, needsOption }: CallRow<Name>,
  line: Invocation,
): Readonly<Record<string, unknown>> {
  const fields = Object.keys(options).flatMap((name) => {
    const text = line.options[name];
    if (text === undefined) return [];
    const reader = read[name];
    return [[parameters[name] ?? name, reader === undefined ? text : reader(text)] as const];
  });
  if (needsOption === true && fields.length === 0) {
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`nothing to change: give one or more of ${names.join(', ')}`);
  }
  const values = Object.entries(line.arguments).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(values), ...Object.fromEntries(fields) };
}
