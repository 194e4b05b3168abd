import { sighash } from '../anchor/anchor-program.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import { derivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import { EVENT_TAG } from '../program-image.ts';

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
