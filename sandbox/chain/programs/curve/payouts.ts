import type { NamedAccount } from '../anchor/accounts.ts';
import { transferTokens } from '../cpi/token-program.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { loadMintDecimals } from '../token-state.ts';
import { curvePoolAuthority } from './curve-accounts.ts';

interface Payout {
  readonly vault: NamedAccount;
  readonly mint: NamedAccount;
  readonly to: NamedAccount;
  readonly tokenProgram: NamedAccount;
}

/** Pays tokens from a vault of the curve's program. */
export function payOut(call: ProgramCall, { vault, mint, to, tokenProgram }: Payout, amount: bigint): Effect {
  return transferTokens({
    tokenProgram: tokenProgram.address,
    from: vault.address,
    to: to.address,
    mint: mint.address,
    decimals: loadMintDecimals(call, mint),
    amount,
    authority: curvePoolAuthority,
  });
}
