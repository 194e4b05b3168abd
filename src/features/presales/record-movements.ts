import type { Transaction } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import { lockPresales, readRecorded, readWallets, writeMovements } from './movement-rows.ts';
import { judgeMovement, type MovementRefusal, type PresaleMovement } from './movement-rules.ts';

/** The result of one movement. */
export type MovementVerdict =
  | { outcome: 'applied' }
  | { outcome: 'rejected'; reason: MovementRefusal | 'identity_reused'; detail: string }
  | {
      outcome: 'waiting';
      reason: 'unknown_presale' | 'presale_not_open' | 'presale_not_refunding' | 'presale_not_settled';
      detail: string;
    };

export interface RecordedMovements {
  /** One per movement, in order. */
  verdicts: MovementVerdict[];
  changedPresales: string[];
}

/**
 * Applies movements in order, in the caller's transaction. A movement that was applied before (same signature
 * and instruction) changes nothing; a refused one changes nothing and its verdict has the reason.
 */
export async function recordMovements(
  transaction: Transaction,
  clock: Clock,
  movements: readonly PresaleMovement[],
): Promise<RecordedMovements> {
  const presales = await lockPresales(transaction, [...new Set(movements.map(({ presaleId }) => presaleId))]);
  const [wallets, recorded] = await Promise.all([
    readWallets(transaction, movements),
    readRecorded(transaction, movements),
  ]);
  const walletOf = new Map(wallets.map((wallet) => [walletKey(wallet), wallet]));
  const contentsOf = new Map(recorded.map((movement) => [identity(movement), contents(movement)]));
  const applied: PresaleMovement[] = [];

  const verdicts = movements.map((movement): MovementVerdict => {
    const presale = presales.get(movement.presaleId);
    if (presale === undefined)
      return { outcome: 'waiting', reason: 'unknown_presale', detail: movement.presaleId };
    const known = contentsOf.get(identity(movement));
    if (known !== undefined) return repeated(known, movement);
    const judgement = judgeMovement(presale, walletOf.get(walletKey(movement)) ?? null, movement);
    if (judgement.outcome !== 'applied') {
      const detail = `${movement.kind} of ${movement.amount} by ${movement.walletAddress}; ${presale.id} is ${presale.status}`;
      return { ...judgement, detail };
    }
    const { after } = judgement;
    presales.set(presale.id, after.presale);
    walletOf.set(walletKey(movement), after.wallet);
    contentsOf.set(identity(movement), contents(movement));
    applied.push(movement);
    return { outcome: 'applied' };
  });

  const changedPresales = [...new Set(applied.map(({ presaleId }) => presaleId))];
  const changedWallets = [...new Set(applied.map(walletKey))];
  await writeMovements(
    transaction,
    applied,
    changedPresales.flatMap((id) => presales.get(id) ?? []),
    changedWallets.flatMap((key) => walletOf.get(key) ?? []),
    clock.now(),
  );
  return { verdicts, changedPresales };
}

const walletKey = ({ presaleId, walletAddress }: { presaleId: string; walletAddress: string }) =>
  `${presaleId} ${walletAddress}`;

const identity = ({ transactionSignature, instructionIndex }: PresaleMovement) =>
  `${transactionSignature}:${instructionIndex}`;

/** Compares movements without their slot, because a transaction can land again after a rollback. */
const contents = ({ kind, presaleId, walletAddress, amount }: PresaleMovement) =>
  `${kind} ${presaleId} ${walletAddress} ${amount}`;

function repeated(known: string, movement: PresaleMovement): MovementVerdict {
  if (known === contents(movement)) return { outcome: 'applied' };
  const detail = `${identity(movement)} is stored with different contents`;
  return { outcome: 'rejected', reason: 'identity_reused', detail };
}
