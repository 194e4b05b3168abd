import { type Static, Type } from '@sinclair/typebox';
import type { Transaction } from '../../../db/client.ts';
import type { presaleMovementKinds } from '../../../db/values/presales.ts';
import type { Clock } from '../../../shared/clock.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import {
  Address,
  InstructionIndex,
  IntString,
  messageCheck,
  PositiveRawAmount,
  Signature,
  Timestamp,
} from '../shapes.ts';
import { type Checked, readAs, type Verdict } from '../verdict.ts';

const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });

const movementFields = {
  presaleId: Uuid,
  walletAddress: Address,
  transactionSignature: Signature,
  instructionIndex: InstructionIndex,
  slot: IntString,
  blockTime: Timestamp,
};

/** `ingest.presale_deposit` and `ingest.presale_refund`. */
const checkLamports = messageCheck(Type.Object({ ...movementFields, amountLamports: PositiveRawAmount }));

/** `ingest.presale_claim`, in base units of the token. */
const checkClaim = messageCheck(Type.Object({ ...movementFields, amountRaw: PositiveRawAmount }));

/** Lamports or tokens that moved between a presale and a wallet. */
export interface MovementMessage {
  kind: (typeof presaleMovementKinds)[number];
  presaleId: string;
  walletAddress: string;
  amount: bigint;
  slot: bigint;
  blockTime: Date;
  transactionSignature: string;
  instructionIndex: number;
}

export function checkPresaleDeposit(value: unknown): Checked<MovementMessage> {
  return readAs(checkLamports(value), (fields) => toMovement('deposit', fields, fields.amountLamports));
}

export function checkPresaleRefund(value: unknown): Checked<MovementMessage> {
  return readAs(checkLamports(value), (fields) => toMovement('refund', fields, fields.amountLamports));
}

export function checkPresaleClaim(value: unknown): Checked<MovementMessage> {
  return readAs(checkClaim(value), (fields) => toMovement('claim', fields, fields.amountRaw));
}

type MovementFields = { [Field in keyof typeof movementFields]: Static<(typeof movementFields)[Field]> };

function toMovement(kind: MovementMessage['kind'], fields: MovementFields, amount: string): MovementMessage {
  const { presaleId, walletAddress, transactionSignature, instructionIndex, slot, blockTime } = fields;
  return {
    kind,
    presaleId: presaleId.toLowerCase(),
    walletAddress,
    amount: BigInt(amount),
    slot: BigInt(slot),
    blockTime: new Date(blockTime),
    transactionSignature,
    instructionIndex,
  };
}

/** Applies deposits, refunds and claims by the rules of presales. Returns one verdict for each, in order. */
export type RecordMovements = (
  transaction: Transaction,
  clock: Clock,
  movements: readonly MovementMessage[],
) => Promise<{ verdicts: Verdict[]; changedPresales: readonly string[] }>;

export interface PresaleMovementDependencies extends KindDependencies {
  recordMovements: RecordMovements;
  /** Called after a commit, because caches of these presales are stale then. */
  onPresalesChanged(ids: readonly string[]): void;
}

/** Applies movements of several presales in one transaction, by the rules of their feature. */
export function applyPresaleMovements(
  dependencies: PresaleMovementDependencies,
  messages: readonly MovementMessage[],
): Promise<Verdict[]> {
  const { db, clock, recordMovements } = dependencies;
  return applyIsolating(messages, async (batch) => {
    const recorded = await db.begin((transaction) => recordMovements(transaction, clock, batch));
    dependencies.onPresalesChanged(recorded.changedPresales);
    return recorded.verdicts;
  });
}
