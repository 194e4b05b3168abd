import type { Answer } from './attempt.ts';
import { apiBaseUrl } from './base-url.ts';
import { type Flows, flowsOf } from './flows.ts';
import { operationTable } from './generated/operation-table.ts';
import { methodOf, type Operations, type Parameters } from './methods.ts';
import type { Arguments, OperationName, Result } from './operations.ts';
import { Pace } from './pace.ts';
import { type CallOptions, routeOf, send, type Transport } from './request.ts';
import { defaultRetries } from './retry.ts';
import type { StreamMessage, StreamSignal } from './stream/messages.ts';
import type { SocketLike } from './stream/socket-connection.ts';
import { messagesOnly, type StreamOptions, type StreamParameters, stream } from './stream/stream.ts';
import {
  SocketStream,
  type TopicStream,
  type TopicStreamMessage,
  type TopicStreamParameters,
} from './stream/topic-stream.ts';
import { sendVersioned } from './versioned-call.ts';
import { ChangeFeed } from './waits/change-feed.ts';

export interface ClientOptions {
  /** Address of the deployment, with or without `/api/v2`. */
  baseUrl: string;
  /** Needed for operations of an account. Anonymous reads are sent without it. */
  apiKey?: string | undefined;
  /** Limit of one attempt in milliseconds; 30,000 by default. */
  timeoutMs?: number | undefined;
  /**
   * How often a request is repeated after its first attempt; 14 by default. The pauses grow to 5 s and are never shorter
   * than a `Retry-After`. Together they are 26 s at least, and outlast a restart of the service. A wait repeats its
   * requests for as long as it lasts.
   */
  maxRetries?: number | undefined;
  /** First pause between attempts in milliseconds; 250 by default. */
  baseDelayMs?: number | undefined;
  /** The longest `Retry-After` that a call waits for, in milliseconds; 60,000 by default. */
  maxDelayMs?: number | undefined;
  /** Replaces the `fetch` of the runtime. */
  fetch?: typeof fetch | undefined;
  /** Opens a WebSocket for `topicStream`. Needed where the runtime has no `WebSocket`, as Node before 22. */
  webSocket?: ((url: string) => SocketLike) | undefined;
}

/** A response: body, status and headers. */
export interface FullAnswer<Name extends OperationName> extends Answer {
  body: Result<Name>;
}

export interface Launchwire extends Operations, Flows {
  /** Like the method of that name, but returns status and headers too. */
  request<Name extends OperationName>(
    operation: Name,
    parameters: Arguments<Name>,
    options?: CallOptions,
  ): Promise<FullAnswer<Name>>;
  /**
   * `for await` over messages of topics, through lost connections: see `StreamMessage`. With `heartbeats` the loop also
   * gets `ready` and `heartbeat`, which say that silence means that nothing happened.
   */
  stream(
    parameters: StreamParameters,
    options?: StreamOptions,
  ): AsyncGenerator<StreamMessage, void, undefined>;
  stream(
    parameters: StreamParameters,
    options: StreamOptions & { heartbeats: true },
  ): AsyncGenerator<StreamMessage | StreamSignal, void, undefined>;
  /**
   * Like `stream`, over a WebSocket, with topics that can be added and removed while it is open. A topic that the service
   * refuses to continue after a lost connection comes as `refused`, and the others go on. `cursor` continues
   * `topics`.
   */
  topicStream(parameters?: TopicStreamParameters, options?: StreamOptions): TopicStream;
  topicStream(
    parameters: TopicStreamParameters,
    options: StreamOptions & { heartbeats: true },
  ): TopicStream<TopicStreamMessage | StreamSignal>;
}

/**
 * A client of one deployment. It needs no closing: only a stream or a wait holds a connection. The API key cannot be
 * read from it.
 */
export function createClient(options: ClientOptions): Launchwire {
  const transport = transportOf(options);
  const sendOnce = (operation: OperationName, parameters: Parameters, callOptions: CallOptions) =>
    send(transport, operation, parameters, callOptions);
  const request = (operation: OperationName, parameters: Parameters = {}, callOptions: CallOptions = {}) => {
    if (!Object.hasOwn(operationTable, operation)) throw new TypeError(`there is no operation ${operation}`);
    const isVersioned = routeOf(operation).versioned === true;
    return isVersioned
      ? sendVersioned(sendOnce, operation, parameters, callOptions)
      : sendOnce(operation, parameters, callOptions);
  };
  const names = Object.keys(operationTable) as OperationName[];
  const operations = Object.fromEntries(names.map((name) => [name, methodOf(name, request)]));
  const openMessages = (
    parameters: StreamParameters,
    streamOptions: StreamOptions & { heartbeats?: true } = {},
  ) => {
    const messages = stream(transport, parameters, streamOptions);
    return streamOptions.heartbeats === true ? messages : messagesOnly(messages);
  };
  const openSocket = options.webSocket ?? webSocketOfRuntime;
  const topicStream = (
    parameters: TopicStreamParameters = {},
    streamOptions: StreamOptions & { heartbeats?: true } = {},
  ) => {
    if (openSocket === webSocketOfRuntime && globalThis.WebSocket === undefined)
      throw new TypeError('this runtime has no WebSocket: give createClient one as its option webSocket');
    return new SocketStream(transport, openSocket, parameters, streamOptions);
  };
  const client = { ...operations, request, stream: openMessages, topicStream } as unknown as Launchwire;
  const feed = new ChangeFeed((signal, onBreak) =>
    stream(transport, { topics: ['intents', 'operations'] }, { signal }, onBreak),
  );
  return Object.assign(client, flowsOf(client, request, feed));
}

function webSocketOfRuntime(url: string): SocketLike {
  return new globalThis.WebSocket(url);
}

function transportOf(options: ClientOptions): Transport {
  const { baseUrl, apiKey, timeoutMs = 30_000 } = options;
  const retries = { ...defaultRetries };
  for (const name of ['maxRetries', 'baseDelayMs', 'maxDelayMs'] as const) {
    const value = options[name];
    if (value !== undefined) retries[name] = value;
  }
  // Called without its `this`, the fetch of browsers throws.
  const fetch = options.fetch ?? ((input: string, init: RequestInit) => globalThis.fetch(input, init));
  return {
    baseUrl: apiBaseUrl(baseUrl),
    apiKey,
    timeoutMs,
    retries,
    pace: new Pace(),
    fetch: fetch as typeof globalThis.fetch,
  };
}
