import { transferLamports } from './cpi/system-program.ts';
import type { Effect } from './effects.ts';
import type { ProgramCall } from './model.ts';

/** What a derived address pays while it creates accounts, the payer gives back to it at once. */
export function* flashRent(
  call: ProgramCall,
  lender: string,
  payer: string,
  effects: Iterable<Effect>,
): Generator<Effect, void, void> {
  const lamports = () => call.account(lender)?.lamports ?? 0n;
  const before = lamports();
  yield* effects;
  const spent = before - lamports();
  if (spent > 0n) yield transferLamports(payer, lender, spent);
}
