import type { Candle } from '../../src/indexer/market/fold-candles.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import type { MatchedEndpoint, MatchedEvent } from '../../src/shared/webhooks/receives-event.ts';

/** Content of the database when everything has come to rest. */
export interface DatabaseFacts {
  readonly intents: readonly IntentFact[];
  readonly log: readonly LogFact[];
  readonly events: readonly EventFact[];
  readonly endpoints: readonly MatchedEndpoint[];
  readonly deliveries: readonly DeliveryFact[];
  readonly trades: readonly IndexedTrade[];
  readonly candles: readonly Candle[];
  readonly markets: readonly MarketFact[];
  /** Work that should have ended: its kind and id. */
  readonly open: readonly string[];
}

export interface IntentFact {
  readonly id: string;
  readonly accountId: string;
  readonly status: string;
  readonly errorCode: string | null;
  readonly mintAddress: string | null;
  readonly inputRaw: string | null;
  /** The wallet's signature in the submitted bytes, which is the transaction's name on chain. */
  readonly signature: string | null;
  readonly finality: string | null;
  /** Whether its transaction landed after `expiresAt`. */
  readonly landedLate: boolean;
}

/** An entry of the log that readers of `trades` and `events` hear. */
export interface LogFact {
  readonly id: bigint;
  readonly kind: 'trade' | 'trade_reverted' | 'event';
  readonly ref: string;
  readonly accountId: string | null;
  /** Pings are for their endpoint alone. */
  readonly isPing: boolean;
}

export interface EventFact extends MatchedEvent {
  readonly id: string;
}

export interface DeliveryFact {
  readonly endpointId: string;
  readonly eventId: string;
  readonly status: string;
  readonly attemptCount: number;
  /** Summary of its rows in `webhook_attempts`. */
  readonly attempts: { readonly count: number; readonly lastNumber: number; readonly hasSuccess: boolean };
}

export interface MarketFact {
  readonly mint: string;
  readonly decimals: number;
  readonly priceInSol: string | null;
  readonly solCollectedInSol: string | null;
  readonly holderCount: number | null;
}

/** State of the chain, read from a healthy node after the faults. */
export interface ChainFacts {
  /** Transactions of the bots' wallets by signature; whether each failed. */
  readonly landed: ReadonlyMap<string, { readonly wallet: string; readonly failed: boolean }>;
  /** Every trade of every known pool. */
  readonly trades: readonly IndexedTrade[];
  /** Wallets with a positive balance, without the accounts of the protocol, by mint. */
  readonly holders: ReadonlyMap<string, number>;
}

/** Status and codes that the OpenAPI document lists, by operation. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly method: string;
  /** Matches a path below the prefix. */
  readonly pattern: RegExp;
  /** Codes of each status; empty for a success. */
  readonly answers: ReadonlyMap<number, ReadonlySet<string>>;
}
