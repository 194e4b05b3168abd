import { sighash } from '../anchor/anchor-program.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import { type DerivedAddress, derivedAddress } from '../derived-address.ts';
import type { Effect, Invoked } from '../effects.ts';
import { EVENT_TAG } from '../program-image.ts';

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

export const EVENT_AUTHORITY_SEED = '__event_authority';

/** An event as Anchor programs emit it: a call of the program to itself, signed by its event authority. */
export function event(program: string, name: string, fields: (writer: BorshWriter) => BorshWriter): Effect {
  const authority = derivedAddress(program, EVENT_AUTHORITY_SEED);
  const writer = new BorshWriter().bytes(EVENT_TAG).bytes(sighash('event', name));
  return {
    kind: 'invoke',
    signers: [authority.seeds],
    instruction: {
      program,
      accounts: [{ address: authority.address, signer: true, writable: false }],
      data: fields(writer).finish(),
    },
  };
}
