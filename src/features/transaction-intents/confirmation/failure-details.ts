import { describeFailure } from '../../../chain/failures/describe-failure.ts';
import type { Database } from '../../../db/client.ts';
import type { IntentEnd } from '../finish-intents.ts';

/** The end of an intent whose transaction landed and failed. */
export type LandedFailure = Extract<IntentEnd, { status: 'failed' }> & {
  /** The chain's error as JSON; null when the nodes do not agree on it. */
  failure: string | null;
};

/** The ends with `error.detail` where the chain's error says more than the code (contract/intents#error-detail). */
export async function withDetails(
  db: Database,
  ends: readonly (IntentEnd | LandedFailure)[],
): Promise<IntentEnd[]> {
  const failures = new Map(
    ends.flatMap((end) => ('failure' in end && end.failure !== null ? [[end.intentId, end.failure]] : [])),
  );
  if (failures.size === 0) return [...ends];
  const rows = await db<{ id: string; signedTransaction: Uint8Array | null }[]>`
    select id, signed_transaction from transaction_intents where id = any(${[...failures.keys()]}::uuid[])`;
  const bytes = new Map(rows.map(({ id, signedTransaction }) => [id, signedTransaction]));
  return ends.map((end) => {
    const failure = failures.get(end.intentId);
    const transaction = bytes.get(end.intentId);
    const detail = failure && transaction ? describeFailure(failure, transaction) : null;
    return end.status === 'confirmed' || detail === null ? end : { ...end, detail };
  });
}
