import type { DerivedAddress } from '../derived-address.ts';
import type { Effect, Invoked } from '../effects.ts';

type Meta = Invoked['accounts'][number];

export const reads = (address: string): Meta => ({ address, signer: false, writable: false });
export const writes = (address: string): Meta => ({ address, signer: false, writable: true });
export const signs = (address: string): Meta => ({ address, signer: true, writable: false });
export const pays = (address: string): Meta => ({ address, signer: true, writable: true });

/** A call of another program. Besides the signers of the caller, the given derived addresses sign it. */
export function invoke(
  program: string,
  accounts: readonly Meta[],
  data: Uint8Array,
  signers: readonly DerivedAddress[] = [],
): Effect {
  return {
    kind: 'invoke',
    instruction: { program, accounts, data },
    signers: signers.map(({ seeds }) => seeds),
  };
}
