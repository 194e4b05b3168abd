import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Transaction } from '../db/client.ts';
import type { GateClient } from '../shared/gate.ts';
import type { ProblemCode } from '../shared/problem-table.ts';
import type { RatePolicyName } from '../shared/rate-policies.ts';
import type { Scope } from '../shared/scopes.ts';
import type { ServiceGroup } from '../shared/service-groups.ts';
import type { Principal } from './access/authentication.ts';
import type { Freshness } from './caches/cache-reader.ts';
import type { Attempt, StoredResponse } from './mutations/idempotency.ts';
import type { OpenableStream, StreamCaller } from './streams/stream-caller.ts';

/**
 * One operation of the contract (contract/endpoints#operations) without its handler, as data for pipeline,
 * docs and tests.
 */
export interface RouteDefinition<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
  Output extends TSchema = TSchema,
> {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below `/api/v2` or `/internal/v1`, with parameters as `:name`. */
  path: string;
  tag: string;
  /** A title of six words at most, without a full stop. */
  summary: string;
  /** Markdown: more than the summary says. */
  description: string;
  /** `anonymous`, `any-key`, or the scopes (groups of a service key) that a key needs, all of them. */
  auth: 'anonymous' | 'any-key' | readonly (Scope | ServiceGroup)[];
  ratePolicy: RatePolicyName;
  /** What a request counts under its rate policy, by its query, which is not checked yet; 1 when absent. */
  rateCost?(query: URLSearchParams): number;
  successStatus: 200 | 201 | 202;
  /** Seconds for `Cache-Control: public, max-age` of an anonymous GET (contract/responses#caching). */
  maxAgeSeconds?: number;
  params?: Params;
  query?: Query;
  /** Optional parameters that a valid request cannot do without; they have examples. */
  exampleQuery?: readonly string[];
  /**
   * Parameters that the schema does not name are errors: for every operation since the first 36
   * (contract/requests#unknown-parameters).
   */
  refusesUnknownQuery?: boolean;
  /** Only on mutations that take a body; others accept none at all. */
  body?: Body;
  /** An example of a valid body; every operation with a body has one. */
  exampleBody?: Readonly<Record<string, unknown>>;
  /** The body is a file and not JSON. */
  upload?: UploadRules;
  /** The body is a list of requests: it may be as large as any (contract/requests#body-size). */
  bulkBody?: boolean;
  /** An absent body counts as `{}`. */
  bodyOptional?: boolean;
  /** The schema of the body of its handler. OpenAPI describes a schema with an `$id` once, any other in place. */
  response: Output;
  /** Headers of a success beyond the headers of every operation. */
  responseHeaders?: readonly OperationHeader[];
  /**
   * What the outcome of a mutation depends on in the API key, besides its account: part of the scope of an idempotency
   * key (contract/idempotency#api-keys). Its handler sees nothing else of the key.
   */
  dependsOnKey?: KeyPart;
  /** The response shows a secret: its stored copy is encrypted (contract/idempotency#stored-responses). */
  secretResponse?: boolean;
  /**
   * The response is a stream of server-sent events or a WebSocket; `response` describes one message
   * (contract/streams).
   */
  isStream?: boolean;
  /** It honours `Prefer: wait` (contract/requests#waiting). */
  waitable?: boolean;
  /** A POST that computes from its body and stores nothing: it takes no `Idempotency-Key`. */
  storesNothing?: boolean;
  /** A mutation that needs `If-Match` (contract/idempotency#if-match). */
  versioned?: boolean;
  /** Problems beyond those of the pipeline. */
  problems: readonly ProblemCode[];
  /** The 503 for an unavailable database or chain; `api_dependency_unavailable` when absent. */
  unavailable?: ProblemCode;
}

/** What an operation accepts as its body in place of JSON. It takes no `Idempotency-Key`: the bytes are the key. */
export interface UploadRules {
  mediaTypes: readonly string[];
  bytesMax: number;
  /** Name of a file in examples; it has the first of the media types. */
  exampleFile: string;
  /** The problem of a body that ends early or arrives too slowly. */
  incomplete: ProblemCode;
}

/** Response headers that only some operations send. */
export type OperationHeader = 'ETag' | 'Location' | 'Preference-Applied' | 'Retry-After';

/** Checked input of a handler. Where the definition has no schema, a part of it is empty. */
export interface Input<Params extends TObject, Query extends TObject, Body extends TSchema> {
  params: Static<Params>;
  query: Static<Query>;
  body: Static<Body>;
  /** Whose work the request is, for gates. */
  client: GateClient;
  /** How new the data of a public read must be, for caches. */
  freshness: Freshness;
}

/** The result of a handler; the pipeline adds the headers (contract/responses#headers). */
export interface Reply<Body = unknown> {
  body: Body;
  headers?: Record<string, string>;
  /** Runs after the commit of a mutation and sends hints to other processes. Never throws. */
  afterCommit?: () => void;
}

declare const serialisedBody: unique symbol;

/** A reply serialised when its data last changed: bytes and strong ETag, ready to send. */
export interface SerialisedReply<Body = unknown> {
  /** For the compiler alone: the type of the body in `text`. */
  readonly [serialisedBody]?: Body;
  text: string;
  etag: string;
  /** The part of the ETag that `asOf` does not change: a waiting client waits for another one. */
  state: string;
  /** `asOf` of a body that has one, in milliseconds since 1970. */
  asOfMs?: number;
}

/** The waiting of an anonymous read for a client that has its bytes (contract/requests#waiting-reads). */
export interface PublicWait<Checked = AnyInput> {
  /** The record whose hints wake the request; null when nothing can change it. */
  recordOf(input: Checked): string | null;
  /** True when the reply cannot change any more. */
  isFinal?(input: Checked, reply: SerialisedReply): boolean;
}

/** A reply that a client may wait for (contract/requests#waiting). */
export interface WaitableReply<Body = unknown> extends Reply<Body> {
  /** A text that differs for every state that counts as a change; null when it never changes again. */
  state: string | null;
  /** The record has ended, and little of it still changes: a request waits only from the tag that it names. */
  waitsFromTagAlone?: boolean;
  /** More belongs to this state and comes a moment later: a wait that has seen it goes on for so long at most. */
  moreWithinMs?: number;
}

/** The record whose change a request waits for. */
export interface AwaitedRecord<Body = unknown> {
  /** As hints name it. */
  recordId: string;
  read(): Promise<WaitableReply<Body>>;
}

type Awaitable<Value> = Value | Promise<Value>;

/** An anonymous read that caches may keep and confirm with `If-None-Match`. */
export function isCacheable({ auth, method, isStream }: RouteDefinition): boolean {
  return auth === 'anonymous' && method === 'GET' && isStream !== true;
}

/** The route, refusing query parameters that it does not know (contract/requests#strict). */
export function refuseUnknownQuery(route: Route): Route {
  return { ...route, definition: { ...route.definition, refusesUnknownQuery: true } } as Route;
}

/** A change that a client repeats with the same `Idempotency-Key` (contract/idempotency). */
export function isIdempotent({ method, storesNothing, upload }: RouteDefinition): boolean {
  return method !== 'GET' && storesNothing !== true && upload === undefined;
}

/** A definition with its handler. `kind` names the contract of the handler. */
export type Route =
  | {
      kind: 'public-read';
      definition: RouteDefinition;
      wait?: PublicWait;
      handle(input: AnyInput): Awaitable<Reply | SerialisedReply>;
    }
  | {
      kind: 'private-read';
      definition: RouteDefinition;
      handle(input: AnyInput, principal: Principal): Awaitable<Reply>;
    }
  | {
      kind: 'waitable-read';
      definition: RouteDefinition;
      /** The record id that hints carry. */
      recordOf(input: AnyInput): string;
      handle(input: AnyInput, principal: Principal): Promise<WaitableReply>;
    }
  | {
      kind: 'computation';
      definition: RouteDefinition;
      handle(input: AnyInput, principal: Principal): Promise<Reply>;
    }
  | {
      kind: 'upload';
      definition: RouteDefinition & { upload: UploadRules };
      handle(input: UploadInput, principal: Principal): Promise<Reply>;
    }
  | {
      kind: 'file';
      definition: RouteDefinition;
      handle(input: AnyInput): Promise<ServedFile>;
    }
  | {
      kind: 'stream';
      definition: RouteDefinition;
      open(input: AnyInput, caller: StreamCaller, isSocket: boolean): Promise<OpenableStream>;
    }
  // biome-ignore lint/suspicious/noExplicitAny: `mutation` pairs what `prepare` returns with the other steps.
  | ({ kind: 'mutation'; definition: RouteDefinition } & MutationSteps<AnyInput, TSchema, any, KeyPart>);

/** The body of an upload, with the media type that its sender declared. */
export interface UploadInput {
  bytes: Uint8Array;
  mediaType: string;
}

/** A file that never changes under its address. */
export interface ServedFile {
  /** Bytes in memory, or a file that the system sends. */
  body: Uint8Array | Blob;
  byteLength: number;
  mediaType: string;
  etag: string;
}

/** An anonymous read that can be held. */
export type HoldableRoute = Route & { kind: 'public-read'; wait: PublicWait };

/**
 * By part of an API key, what a handler that depends on it sees, beside the ids with which it writes. A stored response is replayed before the handler checks
 * anything, so whatever it could check is in the fingerprint of the request (decision 0098).
 */
interface SeenOfKey {
  wallet: 'walletAddress';
  /** The scopes that open events. */
  'event-scopes': 'scopes';
  scopes: 'scopes';
  /** The key itself. */
  key: keyof Principal;
}
export type KeyPart = keyof SeenOfKey;

/** The caller of a mutation, with the version of the resource that it expects. */
export interface Caller<Part extends KeyPart = never> {
  principal: Pick<Principal, 'id' | 'accountId' | SeenOfKey[Part]>;
  /** The version in `If-Match`; 0 for unversioned operations. */
  expectedVersion: number;
}

// biome-ignore lint/suspicious/noExplicitAny: the functions below pair each handler with its own schemas.
type AnyInput = Input<any, any, any>;

/** An anonymous GET: cacheable and conditional. */
export function publicRead<Params extends TObject, Query extends TObject, Output extends TSchema>(
  definition: RouteDefinition<Params, Query, TSchema, Output>,
  handle: (
    input: Input<Params, Query, TSchema>,
  ) => Awaitable<Reply<Static<Output>> | SerialisedReply<Static<Output>>>,
): Route {
  return { kind: 'public-read', definition: definition as RouteDefinition, handle };
}

/** An anonymous GET that can be held until the record of `wait` changes. */
export function holdableRead<Params extends TObject, Query extends TObject, Output extends TSchema>(
  definition: RouteDefinition<Params, Query, TSchema, Output>,
  wait: PublicWait<Input<Params, Query, TSchema>>,
  handle: (
    input: Input<Params, Query, TSchema>,
  ) => Awaitable<Reply<Static<Output>> | SerialisedReply<Static<Output>>>,
): Route {
  return { kind: 'public-read', definition: definition as RouteDefinition, wait, handle };
}

/** A GET for the owner of a key. */
export function privateRead<Params extends TObject, Query extends TObject, Output extends TSchema>(
  definition: RouteDefinition<Params, Query, TSchema, Output>,
  handle: (input: Input<Params, Query, TSchema>, principal: Principal) => Awaitable<Reply<Static<Output>>>,
): Route {
  return { kind: 'private-read', definition: definition as RouteDefinition, handle };
}

/** A POST for the owner of a key that stores nothing. */
export function computation<Params extends TObject, Body extends TSchema, Output extends TSchema>(
  definition: RouteDefinition<Params, TObject, Body, Output> & { storesNothing: true },
  handle: (input: Input<Params, TObject, Body>, principal: Principal) => Promise<Reply<Static<Output>>>,
): Route {
  return { kind: 'computation', definition: definition as RouteDefinition, handle };
}

/** A POST of a file for the owner of a key. */
export function upload<Output extends TSchema>(
  definition: RouteDefinition<TObject, TObject, TSchema, Output> & { upload: UploadRules },
  handle: (input: UploadInput, principal: Principal) => Promise<Reply<Static<Output>>>,
): Route {
  return { kind: 'upload', definition, handle };
}

/** An anonymous GET of a file that never changes. */
export function file<Params extends TObject>(
  definition: RouteDefinition<Params>,
  handle: (input: Input<Params, TObject, TSchema>) => Promise<ServedFile>,
): Route {
  return { kind: 'file', definition: definition as RouteDefinition, handle };
}

/** A GET for the owner of a key that can be held until the record changes (contract/requests#waiting). */
export function waitableRead<Params extends TObject, Query extends TObject, Output extends TSchema>(
  definition: RouteDefinition<Params, Query, TSchema, Output>,
  recordOf: (input: Input<Params, Query, TSchema>) => string,
  handle: (
    input: Input<Params, Query, TSchema>,
    principal: Principal,
  ) => Promise<WaitableReply<Static<Output>>>,
): Route {
  return { kind: 'waitable-read', definition: definition as RouteDefinition, recordOf, handle };
}

/** A stream that anybody may open; topics of an account need its key. */
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

/** What a mutation does, in this order. */
export interface MutationSteps<Checked, Output extends TSchema, Prepared, Part extends KeyPart = never> {
  /**
   * Slow look-ups (DNS, RPC) before the transaction opens. A repeated request is answered before it, but a
   * concurrent repeat is not, so it never throws problems: the handler judges its result.
   */
  prepare?(input: Checked, caller: Caller<Part>): Promise<Prepared>;
  /** For a cheap `prepare`: it runs for repeated requests too, and no statement searches for their response first. */
  preparesRepeats?: boolean;
  /**
   * Runs the whole mutation in one database statement that also stores the response, does the work after the
   * commit, and returns the response. Null in any other case (a repeated key, a failed check): then the handler
   * runs and explains.
   */
  fastPath?(
    input: Checked,
    caller: Caller<Part>,
    attempt: Attempt,
    prepared: Prepared,
  ): Promise<StoredResponse | null>;
  /** Runs inside the transaction that also stores its response (contract/idempotency#in-progress). */
  handle(
    input: Checked,
    caller: Caller<Part>,
    transaction: Transaction,
    prepared: Prepared,
  ): Promise<Reply<Static<Output>>>;
  /**
   * What a client that prefers to wait gets instead of the response that was stored, once it has changed
   * (contract/requests#waiting-submissions). Runs after the commit and its hints.
   */
  wait?(input: Checked, caller: Caller<Part>): AwaitedRecord<Static<Output>>;
}

/** An idempotent change: its steps, or its handler alone. */
export function mutation<
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Output extends TSchema,
  Prepared = undefined,
  Part extends KeyPart = never,
>(
  definition: RouteDefinition<Params, Query, Body, Output> & { dependsOnKey?: Part },
  steps:
    | MutationSteps<Input<Params, Query, Body>, Output, Prepared, Part>
    | MutationSteps<Input<Params, Query, Body>, Output, undefined, Part>['handle'],
): Route {
  return {
    kind: 'mutation',
    definition: definition as RouteDefinition,
    ...(typeof steps === 'function' ? { handle: steps } : steps),
  };
}

/** The path as documents and messages show it: `/tokens/:mint` as `/tokens/{mint}`. */
export function pathTemplate({ path }: Pick<RouteDefinition, 'path'>): string {
  return path.replace(/:(\w+)/g, '{$1}');
}
