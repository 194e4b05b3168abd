import type { Answer } from './attempt.ts';
import { operationTable } from './generated/operation-table.ts';
import type {
  Arguments,
  Item,
  Nothing,
  OperationName,
  Page,
  PagedOperationName,
  Result,
} from './operations.ts';
import { itemsOf, pagesFrom } from './pages.ts';
import type { CallOptions } from './request.ts';

/** A method: optional where the operation needs nothing. */
type Call<Name extends OperationName, Returned> =
  Nothing extends Arguments<Name>
    ? (parameters?: Arguments<Name>, options?: CallOptions) => Returned
    : (parameters: Arguments<Name>, options?: CallOptions) => Returned;

/** Additional methods of a list operation: all items, or all pages, in the order of the list. */
interface Lists<Name extends PagedOperationName> {
  /** `for await` over every item; pages are read as the loop needs them. */
  all: Call<Name, AsyncGenerator<Item<Name>, void, undefined>>;
  /** `for await` over every page. */
  pages: Call<Name, AsyncGenerator<Page<Name>, void, undefined>>;
}

/** Every operation of the API as a method that returns the body of the response. */
export type Operations = {
  [Name in OperationName]: Call<Name, Promise<Result<Name>>> &
    (Name extends PagedOperationName ? Lists<Name> : unknown);
};

/** The untyped input of an operation. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Sends a request of any operation. */
export type Request = (
  operation: OperationName,
  parameters?: Parameters,
  options?: CallOptions,
) => Promise<Answer>;

/** The method of an operation; a list operation also has `all` and `pages`. */
export function methodOf(operation: OperationName, request: Request) {
  const call = async (parameters?: Parameters, options?: CallOptions) =>
    (await request(operation, parameters, options)).body;
  const pages = (parameters: Parameters & { cursor?: string } = {}, options?: CallOptions) =>
    pagesFrom(
      (cursor) =>
        call({ ...parameters, cursor }, options) as Promise<{
          data: [];
          page: { hasMore: boolean; nextCursor: string | null };
        }>,
      parameters.cursor,
    );
  const all = (parameters?: Parameters, options?: CallOptions) => itemsOf(pages(parameters, options));
  return 'paged' in operationTable[operation] ? Object.assign(call, { pages, all }) : call;
}
