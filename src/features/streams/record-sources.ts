import type { CandleInterval } from '../../indexer/market/fold-candles.ts';

/** The id and the partition of a trade. */
export interface TradeRef {
  id: string;
  slot: bigint;
}

/** A bucket of a token's candles. */
export interface BarRef {
  mintAddress: string;
  interval: CandleInterval;
  openTime: Date;
}

/** A published bar with its series. */
export interface StreamedBar {
  mintAddress: string;
  interval: CandleInterval;
  openTime: string;
}

/** The record of a token, and whether lists show it (contract/launches#unsigned). */
export interface StreamedToken {
  record: object;
  isListed: boolean;
}

/** A prediction round. */
export interface StreamedRound {
  id: string;
  mintAddress: string;
}

/** An event of the outbox. */
export interface StreamedEvent {
  id: string;
  type: string;
  /** The serialised CloudEvent. */
  body: string;
}

/**
 * Reads the records that the log names; the features that own them implement it. None returns anything of a
 * hidden token. Each takes any number and queries the database once.
 */
export interface RecordSources {
  /** Tokens with their market, by mint. */
  tokens(mints: readonly string[]): Promise<ReadonlyMap<string, StreamedToken>>;
  /** The visible ones of the mints. */
  visibleMints(mints: readonly string[]): Promise<ReadonlySet<string>>;
  /** Trades by id, without those that were reverted since. */
  trades(refs: readonly TradeRef[]): Promise<ReadonlyMap<string, object>>;
  /** The newest trades of each token that the log does not hold after `position`, oldest first. */
  newestTrades(
    mints: readonly string[],
    position: bigint,
    limit: number,
  ): Promise<ReadonlyMap<string, object[]>>;
  /** Bars that exist: with trades, or closed without any. */
  bars(refs: readonly BarRef[]): Promise<StreamedBar[]>;
  /** The newest two bars of each series, oldest first. */
  newestBars(series: readonly Omit<BarRef, 'openTime'>[]): Promise<StreamedBar[]>;
  /** Statistics of tokens, by mint. */
  stats(mints: readonly string[]): Promise<ReadonlyMap<string, object>>;
  /** Events by id. */
  events(ids: readonly string[]): Promise<ReadonlyMap<string, StreamedEvent>>;
  /** Operations by id. */
  operations(ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
  /** Operations of an account that have not ended, newest last. */
  openOperations(accountId: string, limit: number): Promise<{ id: string }[]>;
  /** Orders by id. */
  orders(ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
  /** Orders of an account that have not ended, newest last. */
  openOrders(accountId: string, limit: number): Promise<{ id: string }[]>;
  /** Public presales by id. */
  presales(ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
  /** Rounds by id. */
  rounds(ids: readonly string[]): Promise<ReadonlyMap<string, StreamedRound>>;
  /** Rounds of tokens that have not ended, oldest first, at most `limit` of the newest of each. */
  openRounds(mints: readonly string[], limit: number): Promise<StreamedRound[]>;
  /** Deliveries by id. */
  deliveries(ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
}
