import { SYSTEM_PROGRAM } from '../../../../src/chain/accounts/programs.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import type { DerivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { invoke, pays, signs, writes } from './invoke.ts';

const CREATE_ACCOUNT = 0;
const ASSIGN = 1;
const TRANSFER = 2;
const ALLOCATE = 8;

export function transferLamports(from: string, to: string, lamports: bigint): Effect {
  const data = new BorshWriter().u32(TRANSFER).u64(lamports).finish();
  return invoke(SYSTEM_PROGRAM, [pays(from), writes(to)], data);
}

/** Carries out effects that make a derived address pay for new accounts; the payer gives it back at once. */
export function* withRentRepaid(
  call: ProgramCall,
  advancedBy: string,
  payer: string,
  effects: Iterable<Effect>,
): Generator<Effect, void, void> {
  const held = () => call.account(advancedBy)?.lamports ?? 0n;
  const before = held();
  yield* effects;
  const advanced = before - held();
  if (advanced > 0n) yield transferLamports(payer, advancedBy, advanced);
}

interface NewAccount {
  readonly address: string;
  readonly payer: string;
  readonly owner: string;
  readonly dataBytes: number;
  /** Seeds of the address when it is a derived one. */
  readonly derived?: DerivedAddress;
}

/** Creates an account with the rent it needs. An address that already holds lamports is used as well. */
export function* createAccount(call: ProgramCall, account: NewAccount): Generator<Effect, void, void> {
  const { address, payer, owner, dataBytes, derived } = account;
  const signers = derived === undefined ? [] : [derived];
  const rent = call.rentExemptLamports(dataBytes);
  const held = call.account(address)?.lamports ?? 0n;
  if (held === 0n) {
    const data = new BorshWriter().u32(CREATE_ACCOUNT).u64(rent, BigInt(dataBytes)).address(owner);
    yield invoke(SYSTEM_PROGRAM, [pays(payer), pays(address)], data.finish(), signers);
    return;
  }
  if (held < rent) yield transferLamports(payer, address, rent - held);
  yield* allocateAndAssign({ address, owner, dataBytes, signers });
}

export function* allocateAndAssign({
  address,
  owner,
  dataBytes,
  signers,
}: Pick<NewAccount, 'address' | 'owner' | 'dataBytes'> & { readonly signers: readonly DerivedAddress[] }) {
  const allocate = new BorshWriter().u32(ALLOCATE).u64(BigInt(dataBytes)).finish();
  yield invoke(SYSTEM_PROGRAM, [{ ...signs(address), writable: true }], allocate, signers);
  const assign = new BorshWriter().u32(ASSIGN).address(owner).finish();
  yield invoke(SYSTEM_PROGRAM, [{ ...signs(address), writable: true }], assign, signers);
}

/** Tops an account up to the rent of `dataBytes`. */
export function* topUpRent(
  call: ProgramCall,
  payer: string,
  address: string,
  dataBytes: number,
): Generator<Effect, void, void> {
  const missing = call.rentExemptLamports(dataBytes) - (call.account(address)?.lamports ?? 0n);
  if (missing > 0n) yield transferLamports(payer, address, missing);
}
