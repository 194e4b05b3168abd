import type { components, operations } from './generated/api.ts';
import type { operationTable } from './generated/operation-table.ts';

/** Records of the API by name, for example `Schemas['Token']`. */
export type Schemas = components['schemas'];

/** Every code that a problem of the API can carry. */
export type ProblemCode = Schemas['ProblemCode'];

/** Why a submitted transaction did not confirm: `error.code` of an intent. */
export type IntentResultCode = NonNullable<Schemas['TransactionIntent']['error']>['code'];

/** Names of the operations, which are also the names of the client's methods. */
export type OperationName = keyof typeof operationTable & keyof operations;

type Content<Response, Type extends string> = Response extends { content: { [type in Type]: infer Body } }
  ? Body
  : never;
type Responses<Name extends OperationName> = operations[Name]['responses'];

/** The body of a successful response. */
export type Result<Name extends OperationName> = {
  [Status in keyof Responses<Name>]: Status extends 200 | 201 | 202
    ? Content<Responses<Name>[Status], 'application/json'>
    : never;
}[keyof Responses<Name>];

/** The codes of the problems that an operation can answer with. */
export type ProblemCodeOf<Name extends OperationName> =
  Content<
    Responses<Name> extends { default: infer Problem } ? Problem : never,
    'application/problem+json'
  > extends {
    code: infer Code extends ProblemCode;
  }
    ? Code
    : never;

/** The neutral element of an intersection. */
// biome-ignore lint/complexity/noBannedTypes: that is what it means here
export type Nothing = {};
type OrNothing<Part> = [Part] extends [never] ? Nothing : Part;
type Parameters<Name extends OperationName> = operations[Name]['parameters'];
type BodyOf<Name extends OperationName> = operations[Name] extends { requestBody?: infer Body }
  ? Content<NonNullable<Body>, 'application/json'>
  : never;

/** A file that an operation takes as its body. */
export type Upload = {
  /** Its bytes; `Bun.file(path)` and `openAsBlob(path)` of Node are Blobs too. */
  file: Blob | Uint8Array<ArrayBuffer>;
  contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
};
type UploadOf<Name extends OperationName> = (typeof operationTable)[Name] extends { upload: true }
  ? Upload
  : Nothing;

/** The input of an operation: its path parameters, query parameters and body fields in one object. */
export type Arguments<Name extends OperationName> = OrNothing<NonNullable<Parameters<Name>['path']>> &
  OrNothing<NonNullable<Parameters<Name>['query']>> &
  OrNothing<BodyOf<Name>> &
  UploadOf<Name>;

/** Operations that return pages. */
export type PagedOperationName = {
  [Name in OperationName]: (typeof operationTable)[Name] extends { paged: true } ? Name : never;
}[OperationName];

/** A page of the results of an operation. */
export type Page<Name extends OperationName> = Extract<Result<Name>, { page: object; data: unknown[] }>;

/** One item of the pages of an operation. */
export type Item<Name extends OperationName> = Page<Name>['data'][number];
