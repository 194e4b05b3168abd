import { Type } from '@sinclair/typebox';
import type { Operation } from './operation.ts';
import { parseJson } from './request-body.ts';
import { compileValidator, readQuery } from './validation.ts';

/** A mutation without a body schema accepts no field at all. */
const NO_FIELDS = Type.Object({}, { additionalProperties: false });

/** What a handler gets to see of a request. */
export interface CheckedInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

/**
 * Parses the body and checks path, query and body, in this order (D1, steps 5 and 6). `body` is null for reads.
 * Throws `malformed_json` or `validation_failed` with every error of the first failing part.
 */
export type InputCheck = (
  request: Request,
  params: Record<string, string>,
  body: Uint8Array | null,
) => CheckedInput;

/** Compiles the schemas of an operation once. */
export function compileInput(operation: Operation): InputCheck {
  const { query } = operation;
  const checkPath = operation.params && compileValidator(operation.params, 'path');
  const checkQuery = query && compileValidator(query, 'query');
  const checkBody = compileValidator(operation.body ?? NO_FIELDS, 'body');
  const mayBeEmpty = operation.body === undefined || operation.bodyOptional === true;

  return (request, params, bytes) => {
    const body = bytes === null || (mayBeEmpty && bytes.byteLength === 0) ? {} : parseJson(bytes);
    checkPath?.(params);
    const queryValues = query === undefined ? {} : readQuery(request.url, query);
    checkQuery?.(queryValues);
    if (bytes !== null) checkBody(body);
    return { params, query: queryValues, body };
  };
}
