import type { Effect } from './effects.ts';
import type { ProgramCall } from './model.ts';

/** Changes a copy of an account's data, and writes the stretch that differs. */
export function* rewrite(
  call: ProgramCall,
  account: { readonly address: string; readonly index: number },
  change: (data: Uint8Array) => void,
): Generator<Effect, void, void> {
  const before = call.account(account.address)?.data ?? new Uint8Array(0);
  const after = Uint8Array.from(before);
  change(after);
  const differs = (byte: number, at: number) => byte !== before[at];
  const first = after.findIndex(differs);
  if (first < 0) return;
  const end = after.findLastIndex(differs) + 1;
  yield { kind: 'write', account: account.index, offset: first, bytes: after.subarray(first, end) };
}
