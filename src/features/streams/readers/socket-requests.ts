import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type FieldError, Problem } from '../../../shared/problem.ts';

const RequestId = Type.Optional(Type.String({ maxLength: 64 }));
const Topics = Type.Array(Type.String(), { maxItems: 1_000 });

/** Messages of a client on a WebSocket (contract/streams#websocket). Unknown fields are ignored. */
export const socketRequestSchemas = {
  authenticate: Type.Object({ type: Type.Literal('authenticate'), key: Type.String(), requestId: RequestId }),
  subscribe: Type.Object({
    type: Type.Literal('subscribe'),
    topics: Topics,
    cursor: Type.Optional(Type.String()),
    requestId: RequestId,
  }),
  unsubscribe: Type.Object({ type: Type.Literal('unsubscribe'), topics: Topics, requestId: RequestId }),
} as const;

export type SocketRequest = {
  [Kind in keyof typeof socketRequestSchemas]: Static<(typeof socketRequestSchemas)[Kind]>;
}[keyof typeof socketRequestSchemas];

const checks = {
  authenticate: TypeCompiler.Compile(socketRequestSchemas.authenticate),
  subscribe: TypeCompiler.Compile(socketRequestSchemas.subscribe),
  unsubscribe: TypeCompiler.Compile(socketRequestSchemas.unsubscribe),
};

/** A JSON object, or null for any other text. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The id that a client gave its message; null when it is not a valid one. */
export function requestIdOf({ requestId }: Record<string, unknown>): string | null {
  return typeof requestId === 'string' && requestId.length <= 64 ? requestId : null;
}

/** Throws `validation_failed` for any other message. */
export function checkRequest(value: Record<string, unknown>): SocketRequest {
  const { type } = value;
  if (type !== 'authenticate' && type !== 'subscribe' && type !== 'unsubscribe')
    throw invalid({
      path: '/message/type',
      code: 'invalid_value',
      message: 'is not one of the allowed values',
    });
  const check = checks[type];
  if (check.Check(value)) return value as SocketRequest;
  const error = check.Errors(value).First();
  throw invalid({
    path: `/message${error?.path ?? ''}`,
    code: error?.value === undefined ? 'required' : 'invalid_type',
    message: error?.value === undefined ? 'is required' : 'has the wrong type or is too long',
  });
}

function invalid(error: FieldError): Problem {
  return new Problem('validation_failed', { errors: [error] });
}
