import type { Answer } from './attempt.ts';
import { ProblemError, UnexpectedResponseError } from './errors.ts';
import type { OperationName } from './operations.ts';
import { type CallOptions, fillPath, routeOf } from './request.ts';
import { newUuid } from './uuid.ts';

type Send = (
  operation: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  options: CallOptions,
) => Promise<Answer>;

/** The read that returns the record of a versioned operation. */
const readOf: Partial<Record<OperationName, OperationName>> = {
  submitTransactionIntent: 'getTransactionIntent',
  updateWebhookEndpoint: 'getWebhookEndpoint',
  deleteWebhookEndpoint: 'getWebhookEndpoint',
  rotateWebhookSecret: 'getWebhookEndpoint',
};

const CONFLICTS_MAX = 3;
/** The number of later changes of a record after which a repeated call still finds its response. */
const EARLIER_VERSIONS_MAX = 8;

/**
 * A change that needs `If-Match`. With a version of the caller it is sent for that version alone. Without one the
 * version is read first, and read again when the record has changed in between, so that the last change wins. A
 * repeated call gets the response of the first one.
 */
export async function sendVersioned(
  send: Send,
  operation: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<Answer> {
  const { version } = parameters;
  const ifMatch = options.ifMatch ?? (typeof version === 'number' ? version : undefined);
  if (ifMatch !== undefined) return send(operation, parameters, { ...options, ifMatch });
  // A refused change stores nothing, so its key stays usable for the next version.
  const idempotencyKey = options.idempotencyKey ?? newUuid();
  for (let conflicts = 0; ; conflicts += 1) {
    const current = await currentVersion(send, operation, parameters, options);
    const sendFor = (version: number) =>
      send(operation, parameters, { ...options, idempotencyKey, ifMatch: version });
    try {
      return await sendFor(current);
    } catch (error) {
      if (isReused(error) && options.idempotencyKey !== undefined)
        return sendEarlier(sendFor, current, error);
      const isStale = error instanceof ProblemError && error.status === 412;
      if (!isStale || conflicts >= CONFLICTS_MAX) throw error;
    }
  }
}

/**
 * The stored response of a call that is repeated under its key. Its version is part of the request, and the call
 * changed it: so it is one of the earlier versions. A change for an earlier version never takes effect, whatever the
 * key.
 */
async function sendEarlier(
  sendFor: (version: number) => Promise<Answer>,
  current: number,
  refusal: unknown,
): Promise<Answer> {
  const last = Math.max(1, current - EARLIER_VERSIONS_MAX);
  for (let version = current - 1; version >= last; version -= 1) {
    try {
      return await sendFor(version);
    } catch (error) {
      if (!isReused(error)) throw error;
    }
  }
  throw refusal;
}

function isReused(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'idempotency_key_reused';
}

async function currentVersion(
  send: Send,
  operation: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  { signal, timeoutMs, maxRetries, headers }: CallOptions,
): Promise<number> {
  const read = readOf[operation];
  if (read === undefined) throw new TypeError(`${operation} needs options.ifMatch`);
  const { rest } = fillPath(read, routeOf(read).path, parameters);
  const names = Object.entries(parameters).filter(([name]) => !Object.hasOwn(rest, name));
  const { body, status } = await send(read, Object.fromEntries(names), {
    signal,
    timeoutMs,
    maxRetries,
    headers,
  });
  const { version } = body as { version?: unknown };
  if (typeof version === 'number') return version;
  throw new UnexpectedResponseError(status, undefined, `of ${read} has no version`);
}
