import { stringifyRpcJson } from '../../src/chain/rpc/json.ts';
import type { RpcContext, RpcMethod } from './rpc-context.ts';
import { RPC_CODE, RpcError } from './rpc-errors.ts';

/** The methods that a connection may call, by name. */
export type MethodTable = ReadonlyMap<string, RpcMethod>;

/** Answers one message: a call or a batch. Returns the text of the response, '' for notifications alone. */
export function answerBody(methods: MethodTable, contextOf: () => RpcContext, body: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return stringifyRpcJson(failure(null, new RpcError(RPC_CODE.parseError, 'Parse error')));
  }
  if (!Array.isArray(parsed)) {
    const answer = answerCall(methods, contextOf, parsed);
    return answer === null ? '' : stringifyRpcJson(answer);
  }
  if (parsed.length === 0)
    return stringifyRpcJson(failure(null, new RpcError(RPC_CODE.invalidRequest, 'Invalid request')));
  const answers = parsed
    .map((call) => answerCall(methods, contextOf, call))
    .filter((answer) => answer !== null);
  return answers.length === 0 ? '' : stringifyRpcJson(answers);
}

function answerCall(methods: MethodTable, contextOf: () => RpcContext, call: unknown): object | null {
  if (!isCall(call)) return failure(null, new RpcError(RPC_CODE.invalidRequest, 'Invalid request'));
  const { id, method, params = [] } = call;
  const answer = run(methods, contextOf, method, params);
  if (id === undefined) return null;
  return answer instanceof RpcError ? failure(id, answer) : { jsonrpc: '2.0', result: answer, id };
}

function run(methods: MethodTable, contextOf: () => RpcContext, name: string, params: unknown): unknown {
  const method = methods.get(name);
  if (method === undefined) return new RpcError(RPC_CODE.methodNotFound, 'Method not found');
  if (!Array.isArray(params))
    return new RpcError(RPC_CODE.invalidParams, 'Invalid params: expected an array.');
  try {
    return method(contextOf(), params) ?? null;
  } catch (error) {
    if (error instanceof RpcError) return error;
    // The developer who uses the sandbox is the only reader of its defects.
    return new RpcError(RPC_CODE.internalError, error instanceof Error ? error.message : String(error));
  }
}

function isCall(value: unknown): value is { id?: unknown; method: string; params?: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'jsonrpc' in value &&
    value.jsonrpc === '2.0' &&
    'method' in value &&
    typeof value.method === 'string'
  );
}

function failure(id: unknown, error: RpcError): object {
  const { code, message, data } = error;
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}
