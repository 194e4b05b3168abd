import { type Static, Type } from '@sinclair/typebox';
import { tradeId } from '../../market/indexed-trade.ts';
import { type Reversal, storeReversals } from '../../store/trade-reversals.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import { InstructionIndex, IntString, messageCheck, nullable, Signature } from '../shapes.ts';
import { APPLIED, type Checked, readAs, type Verdict, waitingFor } from '../verdict.ts';

/** `ingest.trade_reverted` (contract/ingest#reversals). */
const schema = Type.Object({
  transactionSignature: Signature,
  outerIndex: InstructionIndex,
  innerIndex: InstructionIndex,
  /**
   * The slot that was rolled back. If it is set, the reversal may come before its trade, and never takes back
   * a landing of the same transaction in another slot. If it is unset, the reversal waits for the trade and
   * counts forever.
   */
  slot: Type.Optional(nullable(IntString)),
});

type ReversalMessage = Static<typeof schema>;

const check = messageCheck(schema);

export function checkReversal(value: unknown): Checked<Reversal> {
  return readAs(check(value), toReversal);
}

function toReversal({ transactionSignature, outerIndex, innerIndex, slot }: ReversalMessage): Reversal {
  const id = tradeId(transactionSignature, outerIndex, innerIndex);
  return { tradeId: id, slot: slot == null ? null : BigInt(slot) };
}

/** Takes back trades, all in one transaction. */
export function applyReversals(
  dependencies: KindDependencies,
  reversals: readonly Reversal[],
): Promise<Verdict[]> {
  return applyIsolating(reversals, async (batch) => {
    const { db, clock, orders, onOrdersTriggered, onTokensChanged } = dependencies;
    const now = clock.now();
    const stored = await db.begin((transaction) => storeReversals(transaction, batch, now, orders));
    if (stored.triggered > 0) onOrdersTriggered();
    onTokensChanged(stored.changedMints);
    return batch.map((reversal) =>
      stored.unmatched.has(reversal) ? waitingFor('unknown_trade', reversal.tradeId) : APPLIED,
    );
  });
}
