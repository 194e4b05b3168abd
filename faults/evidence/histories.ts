/** Records of what clients did and saw. Times are milliseconds since the walk began. */

export interface RequestEntry {
  readonly client: string;
  readonly method: string;
  /** Below the prefix of the API, without the query. */
  readonly path: string;
  readonly atMs: number;
  readonly lastedMs: number;
  /** Null where no response came. */
  readonly status: number | null;
  /** `code` of a problem. */
  readonly code: string | null;
  readonly idempotencyKey: string | null;
  /** Status and id in the response of a mutation. */
  readonly outcome: string | null;
  /** Id of the intent that a submission accepted. */
  readonly intentId: string | null;
}

export type OrderOutcome = 'confirmed' | 'ended' | 'refused' | 'unknown';

/** One try of a bot to make an order happen; all tries of an order use one key. */
export interface OrderCall {
  readonly atMs: number;
  readonly lastedMs: number;
  readonly outcome: OrderOutcome;
  readonly intentId: string | null;
  readonly detail: string;
}

export interface OrderEntry {
  readonly bot: string;
  readonly accountId: string;
  readonly wallet: string;
  readonly name: string;
  readonly mint: string;
  /** Different for every order of a bot, so that its intents are found by it. */
  readonly amountRaw: string;
  readonly calls: OrderCall[];
}

/** Messages of `trades` and `events` that a reader of a stream received. */
export interface ReaderHistory {
  readonly name: string;
  /** Null for one without a key. */
  readonly accountId: string | null;
  /** Its first cursor: the reader has to get everything after it. */
  readonly fromId: bigint;
  /** Its last cursor. */
  readonly toId: bigint;
  /** Kind and id of each message, in order. */
  readonly messages: readonly string[];
  readonly gaps: number;
  readonly connections: number;
  /** Errors of the package that are none of those it documents. */
  readonly failures: readonly string[];
}

export interface ReceiverHistory {
  readonly name: string;
  readonly endpointId: string;
  readonly accountId: string;
  /** Whether nobody changed the endpoint: then it gets every event. */
  readonly isStable: boolean;
  /** How often each `webhook-id` came and was answered with 2xx. */
  readonly accepted: ReadonlyMap<string, number>;
  readonly refusedOnPurpose: number;
  /** Why requests were not believed. */
  readonly unverified: readonly string[];
}

/** A trade that a feed reported, and that the stream of facts has acknowledged. */
export interface FedTrade {
  readonly mint: string;
  readonly tradeId: string;
  readonly message: object;
}

export interface Histories {
  readonly requests: readonly RequestEntry[];
  readonly orders: readonly OrderEntry[];
  readonly readers: readonly ReaderHistory[];
  readonly receivers: readonly ReceiverHistory[];
  readonly fedTrades: readonly FedTrade[];
}
