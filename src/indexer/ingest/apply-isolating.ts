import postgres from 'postgres';
import type { Verdict } from './verdict.ts';

/**
 * Applies messages together. When the database refuses their content, it finds the refused messages by
 * halving: a bad message costs a few more transactions, and the others are applied. Errors that do not
 * concern the content, such as a lost connection, are thrown again, and the whole batch is retried later.
 */
export async function applyIsolating<Message>(
  messages: readonly Message[],
  apply: (messages: readonly Message[]) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  if (messages.length === 0) return [];
  try {
    return await apply(messages);
  } catch (error) {
    if (!isContentError(error)) throw error;
    if (messages.length === 1) {
      const detail = error.constraint_name || error.code;
      return [{ outcome: 'rejected', reason: 'constraint_violated', detail }];
    }
  }
  const middle = messages.length >> 1;
  const left = await applyIsolating(messages.slice(0, middle), apply);
  return [...left, ...(await applyIsolating(messages.slice(middle), apply))];
}

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
function isContentError(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError && /^2[23]/.test(error.code);
}
