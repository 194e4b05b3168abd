import { namedError } from '../../../chain/failures/program-errors.ts';
import type { SimulationFailure } from '../../../chain/failures/simulation-failure.ts';
import { type Shortfall, shownShortfall } from '../../../chain/transactions/shortfall.ts';
import { Problem } from '../../../shared/problem.ts';

/** Why a pool cannot change its creator. */
type Reason = 'no_pool' | 'not_creator' | 'migrating' | 'liquidity_pending';

const details: Readonly<Record<Reason, string>> = {
  no_pool: 'The token has no pool on the bonding curve.',
  not_creator: 'The wallet of the key is not the creator of the pool.',
  migrating: 'The curve is complete, and its creator cannot change before the migration.',
  liquidity_pending:
    'The pool has migrated to DAMM v1, and its creator cannot change before creator and partner have claimed and locked their liquidity.',
};

export function refusedTransfer(reason: Reason, facts: Readonly<Record<string, string>> = {}): Problem {
  return new Problem('creator_transfer_refused', { detail: details[reason], context: { reason, ...facts } });
}

/** The wallet cannot pay for the transaction. */
export function unfundedTransfer(shortfall: Shortfall): Problem {
  const { have, need, facts } = shownShortfall(shortfall);
  return new Problem('creator_transfer_refused', {
    detail: `The wallet has ${have} SOL, and the transaction costs ${need} SOL.`,
    context: { reason: 'insufficient_funds', ...facts },
  });
}

/** The pool may have changed between its read and the simulation, so the program's own errors count too. */
export function simulationRefusal(failure: SimulationFailure, isMigrated: boolean): Problem {
  if (failure.kind === 'transaction')
    return new Problem('creator_transfer_refused', {
      context: { reason: failure.isUnfunded ? 'insufficient_funds' : 'refused' },
    });
  const { program, number } = failure;
  const name = program === null || number === null ? null : namedError(program, number).name;
  if (name === 'Unauthorized') return refusedTransfer('not_creator');
  if (name === 'NotPermitToDoThisAction')
    return refusedTransfer(isMigrated ? 'liquidity_pending' : 'migrating');
  return new Problem('creator_transfer_refused', {
    context: { reason: 'program_error', programError: { program, number, name } },
  });
}
