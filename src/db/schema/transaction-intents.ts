import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import {
  type IntentPolicy,
  type IntentQuote,
  intentErrorCodes,
  intentStatuses,
  type LandingChanges,
  landingFinalities,
  priorityLevels,
  sendRoutes,
} from '../values/transaction-intents.ts';
import { accounts } from './accounts.ts';
import { bytea, decimal, instant, int64, isOneOf } from './columns.ts';

export const transactionIntents = pgTable(
  'transaction_intents',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    kind: text().notNull(),
    status: text({ enum: intentStatuses }).notNull(),
    expectedSigner: text('expected_signer').notNull(),
    /** Wire bytes as prepared: the expected signer's slot is zero, slots of other signers may be filled. */
    preparedTransaction: bytea('prepared_transaction').notNull(),
    /** Offset of the expected signer's 64-byte signature in `preparedTransaction`. */
    signatureOffset: integer('signature_offset').notNull(),
    /** Set by the accepted submission: the exact bytes that are broadcast. */
    signedTransaction: bytea('signed_transaction'),
    recentBlockhash: text('recent_blockhash'),
    lastValidBlockHeight: int64('last_valid_block_height'),
    policy: jsonb().$type<IntentPolicy>().notNull(),
    transactionSignature: text('transaction_signature'),
    /** Token that the transaction trades or creates; null where no flow of the api made it. */
    mintAddress: text('mint_address'),
    launchId: uuid('launch_id'),
    /** Payment to a landing service in the transaction; null where it is not known. */
    tipLamports: int64('tip_lamports'),
    /** The quote that the transaction was made of; null for anything but a swap. */
    quote: jsonb().$type<IntentQuote>(),
    sendRoute: text('send_route', { enum: sendRoutes }).notNull().default('fast'),
    /** Null where no level set the price. */
    priorityLevel: text('priority_level', { enum: priorityLevels }),
    errorCode: text('error_code', { enum: intentErrorCodes }),
    errorDetail: text('error_detail'),
    version: integer().notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
    submittedAt: instant('submitted_at'),
    completedAt: instant('completed_at'),
  },
  (table) => [
    // Serves every list of an account's intents: kind by kind and status by status, merged. A submission
    // writes no other index.
    index('transaction_intents_account_kind').on(table.accountId, table.kind, table.status, table.id),
    index('transaction_intents_expiry').on(table.expiresAt).where(sql`${table.status} = 'prepared'`),
    index('transaction_intents_block_height')
      .on(table.lastValidBlockHeight)
      .where(sql`${table.status} = 'prepared'`),
    // One function for all rules of a row (drizzle/functions/is_intent_whole.sql): the text of a check is parsed for every statement.
    check(
      'transaction_intents_whole',
      sql`is_intent_whole(${table.status}, ${table.completedAt}, ${table.errorCode}, ${table.sendRoute}, ${table.kind}, ${table.priorityLevel}, ${table.signedTransaction}, ${table.submittedAt}, ${table.version})`,
    ),
  ],
);

/**
 * The intent of each message; written by a trigger, and never deleted. No foreign key: its check would lock
 * each stored intent, and a message stays taken.
 */
export const intentMessages = pgTable(
  'intent_messages',
  {
    recentBlockhash: text('recent_blockhash').notNull(),
    /** SHA-256 of the signed bytes. */
    messageHash: bytea('message_hash').notNull(),
    intentId: uuid('intent_id').notNull(),
  },
  (table) => [
    // The blockhash comes first: messages of the same time are neighbours in the index.
    primaryKey({ name: 'intent_messages_pk', columns: [table.recentBlockhash, table.messageHash] }),
    check('intent_messages_hash', sql`octet_length(${table.messageHash}) = 32`),
  ],
);

/**
 * One row per submitted intent until it is terminal: the broadcast job. Claiming it moves the time at which it
 * is due.
 */
export const intentBroadcasts = pgTable(
  'intent_broadcasts',
  {
    intentId: uuid('intent_id')
      .primaryKey()
      .references(() => transactionIntents.id),
    /** Sends so far that may have reached a node. */
    sendCount: integer('send_count').notNull().default(0),
    /** A node has answered a send with the signature of another transaction. */
    misanswered: boolean().notNull().default(false),
    nextSendAt: instant('next_send_at').notNull(),
    /** W3C trace context of the submission; null without tracing. */
    traceparent: text(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('intent_broadcasts_due').on(table.nextSendAt),
    // Finds submissions that are new to the watcher of signatures.
    index('intent_broadcasts_queued').on(table.createdAt),
  ],
);

/** One row per intent whose transaction landed, successful or not; deleted with its intent. */
export const intentLandings = pgTable(
  'intent_landings',
  {
    intentId: uuid('intent_id')
      .primaryKey()
      .references(() => transactionIntents.id, { onDelete: 'cascade' }),
    /** Slot of the block that has the transaction, or had it before it was reverted. */
    slot: int64('slot').notNull(),
    finality: text({ enum: landingFinalities }).notNull(),
    /** When this service first saw it confirmed. */
    landedAt: instant('landed_at').notNull(),
    /** When it was found final, or dropped; null while it is `confirmed`. */
    settledAt: instant('settled_at'),
    /** When the facts below were read; they are null before. */
    factsAt: instant('facts_at'),
    /** Whether the transaction succeeded in this block. */
    succeeded: boolean(),
    blockTime: instant('block_time'),
    indexInBlock: integer('index_in_block'),
    feeLamports: int64('fee_lamports'),
    computeUnits: int64('compute_units'),
    /** Paid to a landing service: 0 when the transaction failed, null when it is not known. */
    tipLamports: int64('tip_lamports'),
    changes: jsonb().$type<LandingChanges>(),
    /** What the wallet paid and got; null unless a swap succeeded. */
    inputRaw: decimal('input_raw'),
    outputRaw: decimal('output_raw'),
    priceInSol: decimal('price_in_sol'),
    /** How much better (positive) or worse than quoted, in basis points. */
    quoteDifferenceBps: integer('quote_difference_bps'),
    /** Looks at the chain that decided nothing. */
    checkCount: integer('check_count').notNull().default(0),
    /** When the chain is looked at next; null when nothing more can change. */
    dueAt: instant('due_at'),
  },
  (table) => [
    index('intent_landings_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    check('intent_landings_finality', isOneOf(table.finality, landingFinalities)),
    check('intent_landings_settled', sql`(${table.finality} = 'confirmed') = (${table.settledAt} is null)`),
    check(
      'intent_landings_facts',
      sql`(${table.factsAt} is null) = (${table.feeLamports} is null) and (${table.factsAt} is null) = (${table.succeeded} is null) and (${table.factsAt} is null) = (${table.changes} is null)`,
    ),
  ],
);

/**
 * How an intent's transaction was sent to one address. Partitioned by week of the intent's id, which drizzle
 * does not know (drizzle/0000_baseline.sql). No foreign key: its check would lock each intent.
 */
export const intentSends = pgTable(
  'intent_sends',
  {
    intentId: uuid('intent_id').notNull(),
    /** Name of the address. */
    target: text().notNull(),
    /** Null, like what follows, while the address is held out: then it was never sent to. */
    firstSentAt: instant('first_sent_at'),
    lastSentAt: instant('last_sent_at'),
    /** Newest confirmed slot that the sender knew at the first send; null when it knew none. */
    firstSlot: int64('first_slot'),
    /** Recorded sends; 0 for a held-out address. */
    sendCount: integer('send_count').notNull(),
    /** Sends that the address accepted, or had accepted before. */
    takenCount: integer('taken_count').notNull(),
    /**
     * Outcome of the latest send, and its reason where there is one (src/chain/node-trust/judge-send.ts).
     * Without a check of their values: only the service writes them, at every send.
     */
    answer: text(),
    reason: text(),
  },
  (table) => [
    primaryKey({ name: 'intent_sends_pk', columns: [table.intentId, table.target] }),
    check('intent_sends_counts', sql`${table.sendCount} >= ${table.takenCount} and ${table.takenCount} >= 0`),
    check(
      'intent_sends_sent',
      sql`(${table.sendCount} > 0) = (${table.firstSentAt} is not null and ${table.lastSentAt} is not null and ${table.answer} is not null)`,
    ),
  ],
);
