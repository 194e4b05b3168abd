import { COMPUTE_BUDGET, SYSTEM_PROGRAM } from '../../../chain/accounts/programs.ts';
import { namedError } from '../../../chain/failures/program-errors.ts';
import type { SimulationFailure } from '../../../chain/failures/simulation-failure.ts';
import { type BuildDependencies, buildTransaction } from '../../../chain/transactions/build-transaction.ts';
import { type Instruction, readonly } from '../../../chain/transactions/instruction.ts';
import { priceOf } from '../../../chain/transactions/priority.ts';
import { tipInstructions } from '../../../chain/transactions/tip.ts';
import type { ComposedIntent, IntentKeeper } from '../../../intents/composed-intent.ts';
import { composeSimulated } from '../../../intents/prepare/compose-simulated.ts';
import { referenceOf } from '../../../intents/reference.ts';
import { atNodesOf, type SendingDependencies, type SendingOrder, takeTip } from '../../../intents/sending.ts';
import type { Sending } from '../../../intents/sending-schema.ts';
import { accountClient } from '../../../shared/gate.ts';
import { Problem } from '../../../shared/problem.ts';
import { timedId } from '../../../shared/timed-id.ts';

export interface SlotDependencies extends BuildDependencies, SendingDependencies {
  intentKeeper: IntentKeeper;
}

/** A transaction about the nonce account of a wallet. */
export interface SlotOrder {
  accountId: string;
  walletAddress: string;
  kind: 'order_slot' | 'order_slot_closure' | 'order_slot_advance';
  instructions: readonly Instruction[];
  sending: SendingOrder;
}

/** An intent that is ready to be stored. */
export interface SlotIntent {
  intent: ComposedIntent;
  sending: Sending;
}

/** Unit limit of a simulation: about ten times the units of such a transaction. */
const MEASURED_WITH_UNITS = 10_000;
/** A transfer or rent that the wallet cannot pay. */
const INSUFFICIENT_FUNDS = 1;

/** Builds and simulates the transaction, or returns the problem that prevents it. */
export async function composeSlotIntent(
  { accountId, walletAddress, kind, instructions, sending }: SlotOrder,
  dependencies: SlotDependencies,
): Promise<SlotIntent | Problem> {
  const tip = takeTip(sending, dependencies);
  if (tip instanceof Problem) return tip;
  const { priority } = sending;
  const id = timedId(dependencies.clock.now());
  const plan = {
    version: 'v0',
    feePayer: walletAddress,
    instructions: [...withReference(instructions, id), ...tipInstructions(walletAddress, tip)],
    computeUnitLimit: MEASURED_WITH_UNITS,
    computeUnitPrice: await priceOf(priority, [walletAddress], dependencies),
    priorityLamportsMax: priority.lamportsMax,
  } as const;
  const place = dependencies.swapGate.of(accountClient(accountId));
  const build = await buildTransaction(atNodesOf(sending, dependencies), plan, { place });
  if (build.outcome === 'unknown')
    return chainUnavailable(build.failure?.message ?? 'no node gives a blockhash that can be used');
  if (build.outcome === 'refused') return refused(build.failure);
  return composeSimulated(dependencies, build, {
    id,
    accountId,
    kind,
    wallet: walletAddress,
    mintAddress: null,
    sending,
    tip,
    allowedPrograms: [COMPUTE_BUDGET, SYSTEM_PROGRAM],
  });
}

/** Two equal requests with the same blockhash would be one transaction. The system program ignores extra accounts. */
function withReference(instructions: readonly Instruction[], intentId: string): Instruction[] {
  return instructions.map((instruction, at) =>
    at < instructions.length - 1
      ? instruction
      : { ...instruction, accounts: [...instruction.accounts, readonly(referenceOf(intentId))] },
  );
}

export function chainUnavailable(reason: string): Problem {
  return new Problem('chain_unavailable', { cause: new Error(reason) });
}

function refused(failure: SimulationFailure): Problem {
  if (failure.kind === 'transaction') {
    const reason = failure.isUnfunded ? 'insufficient_funds' : 'refused';
    return new Problem('order_slot_refused', { context: { reason } });
  }
  const { program, number } = failure;
  const name = program === null || number === null ? null : namedError(program, number).name;
  const reason = number === INSUFFICIENT_FUNDS ? 'insufficient_funds' : 'program_error';
  return new Problem('order_slot_refused', { context: { reason, programError: { program, number, name } } });
}
