import { COMPUTE_BUDGET } from '../../../chain/accounts/programs.ts';
import { namedError, type ProgramError } from '../../../chain/failures/program-errors.ts';
import type { SimulationFailure } from '../../../chain/failures/simulation-failure.ts';
import type { Claim } from '../../../chain/pools/claims/claim.ts';
import {
  type ClaimerAccounts,
  claimTransaction,
  type PayableClaim,
} from '../../../chain/pools/claims/instructions/claim-transaction.ts';
import { unitsFor } from '../../../chain/pools/claims/instructions/pack-claims.ts';
import {
  type BuildDependencies,
  type BuiltTransaction,
  buildTransaction,
} from '../../../chain/transactions/build-transaction.ts';
import { networkFee } from '../../../chain/transactions/compute-budget.ts';
import type { Instruction } from '../../../chain/transactions/instruction.ts';
import { boundedPrice, priceOf } from '../../../chain/transactions/priority.ts';
import { type Shortfall, shownShortfall } from '../../../chain/transactions/shortfall.ts';
import type { AssociatedAccount } from '../../../chain/transactions/token-instructions.ts';
import type { SendingOrder } from '../../../intents/sending.ts';
import { accountClient } from '../../../shared/gate.ts';
import { Problem } from '../../../shared/problem.ts';
import type { ClaimerState } from './read-claimer.ts';

/** A claim that the chain would refuse. */
export interface RefusedClaim {
  claim: Claim;
  programError: ProgramError | null;
}

export interface BuiltClaims {
  /** Empty when the chain would refuse each of them: then there is no transaction. */
  claims: PayableClaim[];
  transaction: (BuiltTransaction & { allowedPrograms: string[]; keptOpen: AssociatedAccount[] }) | null;
  refused: RefusedClaim[];
}

export interface BuildOrder {
  accountId: string;
  accounts: ClaimerAccounts;
  state: ClaimerState;
  sending: SendingOrder;
  /** Lamports and instructions of the tip. */
  tipLamports: bigint;
  trailing: readonly Instruction[];
  reference: string;
}

/** A transfer or rent that the wallet cannot pay: the same number in every program that a claim calls. */
const INSUFFICIENT_FUNDS = 1;

/**
 * Builds and simulates one transaction. A claim that the chain would refuse is left out, and the others are
 * tried again: each try leaves out one. Anything else that fails is a problem.
 */
export async function buildClaims(
  dependencies: BuildDependencies,
  packed: readonly PayableClaim[],
  order: BuildOrder,
): Promise<BuiltClaims | Problem> {
  const { accounts, sending, trailing, reference } = order;
  const refused: RefusedClaim[] = [];
  const claims = [...packed];
  const computeUnitPrice = await priceOf(
    sending.priority,
    [...new Set(packed.map(({ claim }) => claim.pool))],
    dependencies,
  );
  while (claims.length > 0) {
    const { instructions, claimsAt, keptOpen } = claimTransaction(claims, accounts, reference);
    const all = [...instructions, ...trailing];
    const units = {
      computeUnitLimit: unitsFor(claims.length, claimsAt),
      computeUnitPrice,
      priorityLamportsMax: sending.priority.lamportsMax,
    };
    const build = await buildTransaction(
      dependencies,
      { version: 'v0', feePayer: accounts.wallet, instructions: all, ...units },
      { place: dependencies.swapGate.of(accountClient(order.accountId)), slot: newestSlot(claims) },
    );
    if (build.outcome === 'built') {
      const allowedPrograms = [...new Set([COMPUTE_BUDGET, ...all.map(({ program }) => program)])];
      return { claims, transaction: { ...build, allowedPrograms, keptOpen }, refused };
    }
    if (build.outcome === 'unknown')
      return new Problem('chain_unavailable', {
        cause: build.failure ?? new Error('no node gives a blockhash that can be used'),
      });
    const { failure } = build;
    const index = failure.kind === 'instruction' ? failure.at - claimsAt : -1;
    const culprit = claims[index];
    if (culprit === undefined) {
      const isUnfunded = reasonOf(failure) === 'insufficient_funds';
      const fee = networkFee(units.computeUnitLimit, boundedPrice(units)) + order.tipLamports;
      return refusedClaims(failure, isUnfunded ? order.state.shortfall(instructions, fee) : null);
    }
    refused.push({ claim: culprit.claim, programError: programErrorOf(failure) });
    claims.splice(index, 1);
  }
  return { claims, transaction: null, refused };
}

/** A node before the newest of these slots does not know every claim. */
function newestSlot(claims: readonly PayableClaim[]): bigint {
  const [newest = 0n] = claims.map(({ claim }) => claim.slot).sort((one, other) => Number(other - one));
  return newest;
}

function programErrorOf(failure: SimulationFailure): ProgramError | null {
  if (failure.kind !== 'instruction' || failure.program === null || failure.number === null) return null;
  return namedError(failure.program, failure.number);
}

function refusedClaims(failure: SimulationFailure, shortfall: Shortfall | null): Problem {
  const programError = programErrorOf(failure);
  const reason = reasonOf(failure);
  if (shortfall === null)
    return new Problem('fee_claims_refused', {
      context: { reason, ...(programError !== null && { programError }) },
    });
  const { have, need, facts } = shownShortfall(shortfall);
  return new Problem('fee_claims_refused', {
    detail: `The wallet has ${have} SOL, and the claims need ${need} SOL for fees and the rent of accounts to open. The same request would be refused again.`,
    context: { reason: 'insufficient_funds', ...facts },
  });
}

function reasonOf(failure: SimulationFailure): 'insufficient_funds' | 'program_error' | 'refused' {
  if (failure.kind === 'transaction') return failure.isUnfunded ? 'insufficient_funds' : 'refused';
  return failure.number === INSUFFICIENT_FUNDS ? 'insufficient_funds' : 'program_error';
}
