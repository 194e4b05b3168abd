/**
 * The names on the message bus. Durable streams store messages; plain subjects carry hints, which may be
 * lost.
 */

/** Outbox events on their way to the relay. */
export const EVENT_STREAM = 'EVENTS';
/** Facts from chain and platform on their way into the tables (contract/ingest#stream). */
export const INGEST_STREAM = 'INGEST';
/** Ingest messages that can never be applied, with the reason in the header `Launchwire-Reason`. */
export const INGEST_REJECTED_STREAM = 'INGEST_REJECTED';

export const INGEST_REJECTED_SUBJECT = 'ingest.rejected';

/**
 * Kinds of ingest messages, in the order in which a batch applies them: a token before facts about it, a
 * trade before its reversal. The subject is `ingest.<kind>`.
 */
export const ingestKinds = [
  'token',
  'holder_count',
  'liquidity_lock',
  'trade',
  'trade_reverted',
  'staking_pool',
  'staking_position',
  'fee_state',
  'fee_claimable',
  'fee_distribution',
  'presale_deposit',
  'presale_refund',
  'presale_claim',
  // Last: it proves that everything before it is complete.
  'source_proof',
] as const;
export type IngestKind = (typeof ingestKinds)[number];

export function ingestSubject(kind: IngestKind): string {
  return `ingest.${kind}`;
}

/** Public events and account events use separate subjects, so that neither waits for the other. */
export const PUBLIC_EVENT_SUBJECT = 'events.public';
export const ACCOUNT_EVENT_SUBJECTS = 'events.account.*';

export function eventSubject(accountId: string | null): string {
  return accountId === null ? PUBLIC_EVENT_SUBJECT : `events.account.${accountId}`;
}

const ACK_PENDING_MAX = 10_000;

/**
 * Durable pull consumers. `maxAckPending` is the number of messages taken or waiting for another try at which
 * delivery stops.
 */
export const consumers = {
  relayPublic: {
    stream: EVENT_STREAM,
    name: 'relay-public',
    filterSubject: PUBLIC_EVENT_SUBJECT,
    maxAckPending: ACK_PENDING_MAX,
  },
  relayAccount: {
    stream: EVENT_STREAM,
    name: 'relay-account',
    filterSubject: ACCOUNT_EVENT_SUBJECTS,
    maxAckPending: ACK_PENDING_MAX,
  },
  // Facts that wait up to 8 s for their token count too: a flood of them must not stop others.
  ingest: {
    stream: INGEST_STREAM,
    name: 'ingest',
    filterSubject: 'ingest.*',
    maxAckPending: 200_000,
    hasEpochs: true,
  },
} as const;

export interface ConsumerDefinition {
  stream: string;
  name: string;
  filterSubject: string;
  maxAckPending: number;
  /**
   * Each history of the database has its own consumer `<name>-<epoch>`; the newest is read (decisions/0048).
   */
  hasEpochs?: boolean;
}

/** Hints (core NATS, no storage): work became due, or a cached row changed. */
export const hints = {
  /** A row was added to the outbox; the payload is `account` when all rows are account events, else empty. */
  outbox: 'hint.outbox',
  /** An intent was submitted and waits for its broadcast. */
  broadcast: 'hint.broadcast',
  /** Deliveries became due immediately (a replay, a ping). */
  deliveries: 'hint.deliveries',
  /** An operation was created, or a stopping worker gave unfinished ones back. */
  operations: 'hint.operations',
  /** A token, its market or its visibility changed; the payload is the mint address. */
  tokenChanged: 'hint.token-changed',
  /** Tokens were hidden: nothing that was read before may be shown. */
  tokensHidden: 'hint.tokens-hidden',
  /** The staking pool or the stakes of a token changed; the payload is the mint address. */
  stakingChanged: 'hint.staking-changed',
  /** A presale changed; the payload is its id in lower case. */
  presaleChanged: 'hint.presale-changed',
  /** Operations or intents changed their status; the payload is their ids, separated by commas. */
  statusChanged: 'hint.status-changed',
  /** A prediction round changed its status. */
  roundChanged: 'hint.round-changed',
} as const;
export type Hint = (typeof hints)[keyof typeof hints];

/** A hint with its payload. */
export interface HintOf {
  hint: Hint;
  payload: string;
}
/** A hint with or without a payload. */
export type SentHint = Hint | HintOf;
/** Only account events were added to the outbox: processes that wait for public events ignore it. */
export const accountEventsAdded: HintOf = { hint: hints.outbox, payload: 'account' };
