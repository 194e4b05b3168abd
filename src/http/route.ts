import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Transaction } from '../db/client.ts';
import type { ProblemCode } from '../shared/problem-table.ts';
import type { RatePolicyName } from '../shared/rate-policies.ts';
import type { Scope } from '../shared/scopes.ts';
import type { ServiceGroup } from '../shared/service-groups.ts';
import type { Principal } from './access/authentication.ts';
import type { Attempt, StoredResponse } from './mutations/idempotency.ts';
import type { OpenableStream, StreamCaller } from './streams/stream-caller.ts';

/**
 * Everything that is known of one operation of the contract (contract/endpoints#operations) except its handler: data, read by
 * pipeline, docs and tests.
 */
export interface RouteDefinition<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
> {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v2` or `/internal/v1`, parameters as `:name`. */
  path: string;
  tag: string;
  /** One line, without a full stop. */
  summary: string;
  /** Markdown; what a caller should know beyond the summary. */
  description: string;
  /** `anonymous`, `any-key`, or the scopes (groups of a service key) that a key must carry in full. */
  auth: 'anonymous' | 'any-key' | readonly (Scope | ServiceGroup)[];
  ratePolicy: RatePolicyName;
  successStatus: 200 | 201 | 202;
  /** Seconds for `Cache-Control: public, max-age` of an anonymous GET (contract/responses#caching). */
  maxAgeSeconds?: number;
  params?: Params;
  query?: Query;
  /** A query parameter that the schema does not name is an error: of every operation since the first 36 (contract/requests#unknown-parameters). */
  refusesUnknownQuery?: boolean;
  /** Set on mutations that take a body; a mutation without one accepts no body at all. */
  body?: Body;
  /** A body as a caller may send it; every operation with a body has one. */
  exampleBody?: Readonly<Record<string, unknown>>;
  /** An absent body stands for `{}`. */
  bodyOptional?: boolean;
  /** Described once in OpenAPI when it has an `$id`, else in place. */
  response: TSchema;
  /** Headers of a success beyond those of every operation. */
  responseHeaders?: readonly OperationHeader[];
  /**
   * What the outcome of a mutation depends on of the API key besides its account: part of what an idempotency key stands for
   * (contract/idempotency#scope).
   */
  dependsOnKey?: 'wallet' | 'event-scopes';
  /** The response shows a secret: its stored copy is encrypted (contract/idempotency#stored-responses). */
  secretResponse?: boolean;
  /** The response is a stream of server-sent events, or a WebSocket; `response` is that of one message (contract/streams). */
  isStream?: boolean;
  /** A read that honours `Prefer: wait` (contract/requests#waiting). */
  waitable?: boolean;
  /** Mutation that needs `If-Match` (contract/idempotency#if-match). */
  versioned?: boolean;
  /** What this operation can return beyond the problems of the pipeline. */
  problems: readonly ProblemCode[];
  /** The 503 that a lost database or chain turns into; `api_dependency_unavailable` when absent. */
  unavailable?: ProblemCode;
}

/** Response headers that only some operations send. */
export type OperationHeader = 'ETag' | 'Location' | 'Preference-Applied' | 'Retry-After';

/** Checked input of a handler. `body`, `principal` and the preconditions exist where the policy says so. */
export interface Input<Params extends TObject, Query extends TObject, Body extends TSchema> {
  params: Static<Params>;
  query: Static<Query>;
  body: Static<Body>;
}

/** What a handler returns; the pipeline adds the headers (contract/responses#headers). */
export interface Reply {
  /** Serialised as JSON. */
  body: unknown;
  headers?: Record<string, string>;
  /** Runs after the commit of a mutation: hints to other processes. Never throws. */
  afterCommit?: () => void;
}

/** A reply that was serialised when its data last changed: bytes and strong ETag, ready to send. */
export interface SerialisedReply {
  text: string;
  etag: string;
  /** The part of the ETag that `asOf` does not change: what a client waits to see changed. */
  state: string;
  /** `asOf` of the body, where it has one, in milliseconds since 1970. */
  asOfMs?: number;
}

/** How an anonymous read is held for a client that has its bytes (contract/requests#waiting-reads). */
export interface PublicWait<Checked = AnyInput> {
  /** The record whose hints wake the request; null for what is never waited for. */
  recordOf(input: Checked): string | null;
  /** True when the reply can change no more. */
  isFinal?(input: Checked, reply: SerialisedReply): boolean;
}

/** A reply for which a client may wait (contract/requests#waiting). */
export interface WaitableReply extends Reply {
  /** Another text for every state that counts as a change; null when it never changes again. */
  state: string | null;
}

type Awaitable<Value> = Value | Promise<Value>;

/** An anonymous read whose response may be kept, and confirmed with `If-None-Match`. */
export function isCacheable({ auth, method, isStream }: RouteDefinition): boolean {
  return auth === 'anonymous' && method === 'GET' && isStream !== true;
}

/** A definition with its handler. `kind` says which contract the handler follows. */
export type Route =
  | {
      kind: 'public-read';
      definition: RouteDefinition;
      wait?: PublicWait;
      /** `isAwaited`: what is older than the last hint for the record will not do. */
      handle(input: AnyInput, isAwaited?: boolean): Awaitable<Reply | SerialisedReply>;
    }
  | {
      kind: 'private-read';
      definition: RouteDefinition;
      handle(input: AnyInput, principal: Principal): Awaitable<Reply>;
    }
  | {
      kind: 'waitable-read';
      definition: RouteDefinition;
      /** The id of the record as hints name it. */
      recordOf(input: AnyInput): string;
      handle(input: AnyInput, principal: Principal): Promise<WaitableReply>;
    }
  | {
      kind: 'stream';
      definition: RouteDefinition;
      open(input: AnyInput, caller: StreamCaller, isSocket: boolean): Promise<OpenableStream>;
    }
  | {
      kind: 'mutation';
      definition: RouteDefinition;
      prepare: ((input: AnyInput, caller: Caller) => Promise<unknown>) | undefined;
      /** A repeated request is recognised before `prepare` runs. */
      looksFirst?: boolean;
      fastPath?: FastPath;
      // biome-ignore lint/suspicious/noExplicitAny: `preparedMutation` pairs what `prepare` returns with its handler.
      handle(input: AnyInput, caller: Caller, transaction: Transaction, prepared: any): Promise<Reply>;
    };

/**
 * The whole mutation in one database statement that also stores the response, which it returns; it has also done what
 * follows the commit. Null when anything is out of the ordinary (a repeated key, a check that fails): then the handler
 * runs, and explains.
 */
type FastPath = (
  input: AnyInput,
  caller: Caller,
  attempt: Attempt,
  // biome-ignore lint/suspicious/noExplicitAny: `preparedMutation` pairs it with what `prepare` returns.
  prepared: any,
) => Promise<StoredResponse | null>;

/** An anonymous read that can be held. */
export type HoldableRoute = Route & { kind: 'public-read'; wait: PublicWait };

/** Who mutates, and on which version of the resource they insist. */
export interface Caller {
  principal: Principal;
  /** The version in `If-Match`; 0 for unversioned operations. */
  expectedVersion: number;
}

// biome-ignore lint/suspicious/noExplicitAny: the functions below pair each handler with its own schemas.
type AnyInput = Input<any, any, any>;

/** An anonymous GET: cacheable, conditional. */
export function publicRead<Params extends TObject, Query extends TObject>(
  definition: RouteDefinition<Params, Query>,
  handle: (input: Input<Params, Query, TSchema>) => Awaitable<Reply | SerialisedReply>,
): Route {
  return { kind: 'public-read', definition: definition as RouteDefinition, handle };
}

/** As above, and can be held until the record of `wait` changes. */
export function holdableRead<Params extends TObject, Query extends TObject>(
  definition: RouteDefinition<Params, Query>,
  wait: PublicWait<Input<Params, Query, TSchema>>,
  handle: (input: Input<Params, Query, TSchema>, isAwaited?: boolean) => Awaitable<Reply | SerialisedReply>,
): Route {
  return { kind: 'public-read', definition: definition as RouteDefinition, wait, handle };
}

/** A GET for the owner of a key. */
export function privateRead<Params extends TObject, Query extends TObject>(
  definition: RouteDefinition<Params, Query>,
  handle: (input: Input<Params, Query, TSchema>, principal: Principal) => Awaitable<Reply>,
): Route {
  return { kind: 'private-read', definition: definition as RouteDefinition, handle };
}

/** A GET for the owner of a key that can be held until the record changes (contract/requests#waiting). */
export function waitableRead<Params extends TObject, Query extends TObject>(
  definition: RouteDefinition<Params, Query>,
  recordOf: (input: Input<Params, Query, TSchema>) => string,
  handle: (input: Input<Params, Query, TSchema>, principal: Principal) => Promise<WaitableReply>,
): Route {
  return { kind: 'waitable-read', definition: definition as RouteDefinition, recordOf, handle };
}

/** A stream that anybody may open, and a key for what is its account's. */
export function stream<Query extends TObject>(
  definition: RouteDefinition<TObject, Query>,
  open: (
    input: Input<TObject, Query, TSchema>,
    caller: StreamCaller,
    isSocket: boolean,
  ) => Promise<OpenableStream>,
): Route {
  return { kind: 'stream', definition: definition as RouteDefinition, open };
}

/**
 * An idempotent change: the handler runs inside the transaction that also stores its response
 * (contract/idempotency#in-progress).
 */
export function mutation<Params extends TObject, Query extends TObject, Body extends TSchema>(
  definition: RouteDefinition<Params, Query, Body>,
  handle: (input: Input<Params, Query, Body>, caller: Caller, transaction: Transaction) => Promise<Reply>,
): Route {
  return { kind: 'mutation', definition: definition as RouteDefinition, prepare: undefined, handle };
}

/** A mutation with a fast path: its ordinary case is one statement, everything else goes through its handler. */
export function mutationWithFastPath<Params extends TObject, Query extends TObject, Body extends TSchema>(
  definition: RouteDefinition<Params, Query, Body>,
  fastPath: (input: Input<Params, Query, Body>, caller: Caller, attempt: Attempt) => ReturnType<FastPath>,
  handle: (input: Input<Params, Query, Body>, caller: Caller, transaction: Transaction) => Promise<Reply>,
): Route {
  return {
    kind: 'mutation',
    definition: definition as RouteDefinition,
    prepare: undefined,
    fastPath,
    handle,
  };
}

/**
 * A mutation with slow look-ups (DNS, RPC): `prepare` runs before the transaction opens. A repeated request is answered before it, but
 * one that runs beside the first is not, so `prepare` never throws problems; the handler judges what it returned. `fastPath` may do the ordinary
 * case in one statement. Without `looksFirst` the look, a statement, is saved and `prepare` runs for replays too: where it asks for little.
 */
export function preparedMutation<
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Prepared,
>(
  definition: RouteDefinition<Params, Query, Body>,
  prepare: (input: Input<Params, Query, Body>, caller: Caller) => Promise<Prepared>,
  handle: (
    input: Input<Params, Query, Body>,
    caller: Caller,
    transaction: Transaction,
    prepared: Prepared,
  ) => Promise<Reply>,
  fastPath?: (
    input: Input<Params, Query, Body>,
    caller: Caller,
    attempt: Attempt,
    prepared: Prepared,
  ) => ReturnType<FastPath>,
  looksFirst = true,
): Route {
  return {
    kind: 'mutation',
    definition: definition as RouteDefinition,
    prepare,
    looksFirst,
    ...(fastPath && { fastPath }),
    handle,
  };
}
