import { type TObject, Type } from '@sinclair/typebox';
import type { GateClient } from '../../shared/gate.ts';
import type { Freshness } from '../caches/cache-reader.ts';
import { rememberQueries } from '../remember-queries.ts';
import type { RouteDefinition } from '../route.ts';
import { parseJson } from './request-body.ts';
import { mayHoldEscapes, unstorableTexts } from './stored-text.ts';
import { compileQueryReader, compileValidator, refuse } from './validation.ts';

/** The body schema of a mutation that has no body: no field is accepted. */
const NO_FIELDS = Type.Object({}, { additionalProperties: false });

export interface CheckedInput {
  params: Record<string, string>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  client: GateClient;
  /** How new the data of a public read must be; `granted` until the pipeline says otherwise. */
  freshness: Freshness;
}

/**
 * Parses the body and checks path, query and body, in this order (contract/requests#order-schemas). `body` is
 * null for reads. Throws `malformed_json` or `validation_failed` with every error of the first invalid part.
 */
export type InputCheck = (
  request: Request,
  params: Record<string, string>,
  body: Uint8Array | null,
  client: GateClient,
) => CheckedInput;

/** Compiles the schemas of an operation once. */
export function compileInput(definition: RouteDefinition): InputCheck {
  const { query = NO_FIELDS, refusesUnknownQuery = false } = definition;
  const checkPath = definition.params && compileValidator(definition.params, 'path');
  const checkBody = compileValidator(definition.body ?? NO_FIELDS, 'body');
  const isQueryRead = definition.query !== undefined || refusesUnknownQuery;
  const queryOf = isQueryRead ? queryReader(query, refusesUnknownQuery) : () => NO_QUERY;
  const mayBeEmpty = definition.body === undefined || definition.bodyOptional === true;

  return (request, params, bytes, client) => {
    const body = bytes === null || (mayBeEmpty && bytes.byteLength === 0) ? {} : parseJson(bytes);
    checkPath?.(params);
    const queryValues = queryOf(request);
    if (bytes !== null) {
      if (mayHoldEscapes(bytes)) refuse(unstorableTexts(body, '/body'));
      checkBody(body);
    }
    return { params, query: queryValues, body, client, freshness: 'granted' };
  };
}

const NO_QUERY: CheckedInput['query'] = Object.freeze({});

/** Reads and checks queries; a valid one that is short is parsed once. */
function queryReader(schema: TObject, refusesUnknown: boolean): (request: Request) => CheckedInput['query'] {
  const read = compileQueryReader(schema, refusesUnknown);
  return rememberQueries((query) => Object.freeze(read(query)));
}
