import { namedError, type ProgramError } from '../../chain/failures/program-errors.ts';
import type { SimulationFailure } from '../../chain/failures/simulation-failure.ts';
import { type Shortfall, shownShortfall } from '../../chain/transactions/shortfall.ts';
import { Problem } from '../../shared/problem.ts';

/** A transfer or rent that the wallet cannot pay: the same number in every program that a launch calls. */
const INSUFFICIENT_FUNDS = 1;

/** Why a launch was refused. */
export interface LaunchRefusal {
  reason: 'insufficient_funds' | 'program_error' | 'refused';
  programError?: Omit<ProgramError, 'program' | 'number'> & { program: string | null; number: number | null };
}

/** Reads the refusal from a failed simulation. */
export function readLaunchRefusal(failure: SimulationFailure): LaunchRefusal {
  if (failure.kind === 'transaction')
    return { reason: failure.isUnfunded ? 'insufficient_funds' : 'refused' };
  const { program, number } = failure;
  const name = program === null || number === null ? null : namedError(program, number).name;
  const reason = number === INSUFFICIENT_FUNDS ? 'insufficient_funds' : 'program_error';
  return { reason, programError: { program, number, name } };
}

/** The problem of a launch whose simulation failed, with the missing amount if it is known. */
export function refusedLaunch(refusal: LaunchRefusal, shortfall: Shortfall | null): Problem {
  if (shortfall === null) return new Problem('launch_refused', { context: { ...refusal } });
  const { have, need, facts } = shownShortfall(shortfall);
  return new Problem('launch_refused', {
    detail: `The wallet has ${have} SOL, and the launch needs at least ${need} SOL for its accounts, the fees and the first buy. The same request would be refused again.`,
    context: { ...refusal, ...facts },
  });
}
