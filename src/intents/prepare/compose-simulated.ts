import type { BuiltTransaction } from '../../chain/transactions/build-transaction.ts';
import type { Tip } from '../../chain/transactions/tip.ts';
import type { Clock } from '../../shared/clock.ts';
import { timedId } from '../../shared/timed-id.ts';
import type { ComposedIntent, IntentKeeper } from '../composed-intent.ts';
import { type SendingOrder, storedSending, toSending } from '../sending.ts';
import type { Sending } from '../sending-schema.ts';

export interface ComposeDependencies {
  intentKeeper: IntentKeeper;
  clock: Clock;
  /** The most that a transaction pays, in micro-lamports per compute unit. */
  maxComputeUnitPrice: bigint;
}

/** The purpose of a transaction that was simulated. */
export interface SimulatedOrder {
  /** A new one when absent; one that is written into the transaction otherwise. */
  id?: string;
  accountId: string;
  kind: string;
  /** Signs and pays. */
  wallet: string;
  allowedPrograms: readonly string[];
  /** Null for a transaction of no token or of several. */
  mintAddress: string | null;
  launchId?: string;
  sending: SendingOrder;
  tip: Tip | null;
}

/**
 * Composes the intent of a simulated transaction, under a policy that demands the simulation. Returns it with what a
 * response says about its sending.
 */
export function composeSimulated(
  { intentKeeper, clock, maxComputeUnitPrice }: ComposeDependencies,
  built: BuiltTransaction,
  { id = timedId(clock.now()), accountId, kind, wallet, sending, tip, ...order }: SimulatedOrder,
): { intent: ComposedIntent; sending: Sending } {
  const { transaction, lastValidBlockHeight, expiresInMs } = built;
  const intent = intentKeeper.compose(id, {
    accountId,
    kind,
    expectedSigner: wallet,
    transaction,
    lastValidBlockHeight,
    expiresInMs,
    policy: {
      allowedPrograms: [...order.allowedPrograms],
      maxComputeUnitPrice: String(maxComputeUnitPrice),
      requireSimulation: true,
    },
    origin: {
      mintAddress: order.mintAddress,
      launchId: order.launchId ?? null,
      tipLamports: tip?.lamports ?? 0n,
      quote: null,
    },
    ...storedSending(sending),
  });
  return { intent, sending: toSending(sending, built, tip) };
}
