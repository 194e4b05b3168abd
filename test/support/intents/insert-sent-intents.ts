import type { Database } from '../../../src/db/client.ts';
import type { transactionIntents } from '../../../src/db/schema/transaction-intents.ts';
import type { PriorityLevel, SendRoute } from '../../../src/db/values/transaction-intents.ts';
import { insertRows } from '../rows/insert-rows.ts';

type IntentErrorCode = NonNullable<(typeof transactionIntents.$inferSelect)['errorCode']>;

/** A submitted intent as a landing report sees it. */
export interface SentIntent {
  id?: string;
  createdAt: Date;
  kind?: string;
  route?: SendRoute;
  level?: PriorityLevel | null;
  /** Null while it has not ended, `confirmed`, or the code with which it failed. */
  end: null | 'confirmed' | IntentErrorCode;
  /** From the submission, which is 10 ms after `createdAt`, to the end. */
  endsAfterMs?: number;
  /** Null for one without a landing. */
  landing?: {
    slot: bigint;
    feeLamports: bigint | null;
    tipLamports: bigint | null;
    isReverted?: boolean;
  } | null;
  sends?: readonly { target: string; firstSlot: bigint | null; isHeldOut?: boolean }[];
}

const SUBMITTED_AFTER_MS = 10;

/** Stores the intents with their sends and landings, and returns their ids. */
export async function insertSentIntents(
  db: Database,
  accountId: string,
  intents: readonly SentIntent[],
): Promise<string[]> {
  const rows = intents.map((intent) => ({
    ...intent,
    id: intent.id ?? Bun.randomUUIDv7('hex', intent.createdAt),
    submittedAt: new Date(intent.createdAt.getTime() + SUBMITTED_AFTER_MS),
  }));
  await insertRows(
    db,
    'transaction_intents',
    rows.map(
      ({
        id,
        createdAt,
        submittedAt,
        kind = 'swap',
        route = 'fast',
        level = null,
        end,
        endsAfterMs = 0,
      }) => ({
        id,
        accountId,
        kind,
        expectedSigner: '1'.repeat(32),
        preparedTransaction: new Uint8Array(4),
        signatureOffset: 1,
        signedTransaction: new Uint8Array(4),
        policy: {},
        version: 2,
        expiresAt: createdAt,
        status: end === null ? 'submitted' : end === 'confirmed' ? 'confirmed' : 'failed',
        errorCode: end === null || end === 'confirmed' ? null : end,
        completedAt: end === null ? null : new Date(submittedAt.getTime() + endsAfterMs),
        createdAt,
        submittedAt,
        sendRoute: route,
        priorityLevel: level,
      }),
    ),
  );
  await insertRows(
    db,
    'intent_landings',
    rows.flatMap(({ id, submittedAt, landing }) => {
      if (landing === undefined || landing === null) return [];
      const { slot, feeLamports, tipLamports, isReverted = false } = landing;
      const isRead = feeLamports !== null;
      return {
        intentId: id,
        slot,
        feeLamports,
        tipLamports,
        landedAt: submittedAt,
        finality: isReverted ? 'reverted' : 'finalized',
        settledAt: submittedAt,
        factsAt: isRead ? submittedAt : null,
        succeeded: isRead ? true : null,
        changes: isRead ? { lamports: '0', tokens: [] } : null,
      };
    }),
  );
  await insertRows(
    db,
    'intent_sends',
    rows.flatMap(({ id, submittedAt, sends = [] }) =>
      sends.map(({ target, firstSlot, isHeldOut = false }) => {
        const sentAt = isHeldOut ? null : submittedAt;
        return {
          intentId: id,
          target,
          firstSentAt: sentAt,
          lastSentAt: sentAt,
          firstSlot: isHeldOut ? null : firstSlot,
          answer: isHeldOut ? null : 'accepted',
          sendCount: isHeldOut ? 0 : 1,
          takenCount: isHeldOut ? 0 : 1,
        };
      }),
    ),
  );
  return rows.map(({ id }) => id);
}
