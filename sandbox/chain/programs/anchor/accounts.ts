import type { ChainAccount } from '../../../../src/chain/accounts/account-data.ts';
import {
  SPL_TOKEN,
  SYSTEM_PROGRAM,
  TOKEN_2022,
  tokenProgramNames,
} from '../../../../src/chain/accounts/programs.ts';
import type { StoredAccount } from '../../vm.ts';
import { EVENT_AUTHORITY_SEED } from '../cpi/invoke.ts';
import { derivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import type { CallAccount, ProgramCall } from '../model.ts';
import { type FrameworkErrorName, frameworkError } from './anchor-error.ts';
import { DISCRIMINATOR_BYTES, sighash } from './anchor-program.ts';

/** The conditions of an instruction for one of its accounts. */
interface Demand {
  readonly signer?: true;
  readonly writable?: true;
  /** The account is absent when the program's own address takes its place. */
  readonly optional?: true;
  /**
   * What the program reads before its checks: an account of a token program, a token program, or an account of its own
   * with the given type.
   */
  readonly holds?: 'tokens' | 'tokenProgram' | { readonly own: string };
}

export const readonly = {} as const;
export const writable = { writable: true } as const;
export const signer = { signer: true } as const;
export const payer = { signer: true, writable: true } as const;
export const optional = { writable: true, optional: true } as const;
export const readonlyTokens = { holds: 'tokens' } as const;
export const tokenAccount = { holds: 'tokens', writable: true } as const;
export const tokenInterface = { holds: 'tokenProgram' } as const;

/**
 * An account of the program itself.
 * @param own its type, as the program's interface names it
 */
export function stateOf(own: string) {
  return { holds: { own } } as const;
}

export function writableStateOf(own: string) {
  return { holds: { own }, writable: true } as const;
}

/** An account under the name that the program's interface gives it. */
export interface NamedAccount extends CallAccount {
  readonly name: string;
  readonly index: number;
}

export type NamedAccounts<Demands> = {
  readonly [Name in keyof Demands]: Demands[Name] extends { optional: true }
    ? NamedAccount | null
    : NamedAccount;
};

/**
 * The accounts of a call by name, in order; more may follow. As in the framework, all accounts are read in their order
 * before any is checked. `event_authority` and `program`, with which a program sends events to itself, are checked too.
 */
export function accountsOf<const Demands extends Readonly<Record<string, Demand>>>(
  call: ProgramCall,
  program: string,
  demands: Demands,
): NamedAccounts<Demands> {
  const found: Record<string, NamedAccount | null> = {};
  for (const [index, [name, demand]] of Object.entries(demands).entries()) {
    const account = call.accounts[index];
    if (account === undefined) throw frameworkError('AccountNotEnoughKeys');
    const isAbsent = demand.optional === true && account.address === program;
    found[name] = isAbsent ? null : { ...account, name, index };
    if (found[name] !== null) requireReadable(call, program, found[name], demand);
  }
  for (const [name, { writable }] of Object.entries(demands)) {
    const account = found[name];
    if (account != null) requireAccount(writable !== true || account.writable, 'ConstraintMut', account);
  }
  const { event_authority: eventAuthority, program: self } = found;
  if (eventAuthority != null && self != null) {
    const derived = derivedAddress(program, EVENT_AUTHORITY_SEED);
    requireAccount(eventAuthority.address === derived.address, 'ConstraintSeeds', eventAuthority);
  }
  return found as NamedAccounts<Demands>;
}

function requireReadable(
  call: ProgramCall,
  program: string,
  account: NamedAccount,
  { signer, holds }: Demand,
): void {
  requireAccount(signer !== true || account.signer, 'AccountNotSigner', account);
  if (holds === 'tokens') requireTokenData(call, account);
  if (holds === 'tokenProgram') requireTokenProgram(account);
  if (typeof holds === 'object') requireState(call, account, program, holds.own);
}

/** The data of an account of one of the two token programs. */
export function requireTokenData(call: ProgramCall, account: NamedAccount): Uint8Array {
  const stored = call.account(account.address);
  const isUnused = stored === null || (stored.owner === SYSTEM_PROGRAM && stored.lamports === 0n);
  requireAccount(!isUnused, 'AccountNotInitialized', account);
  requireAccount(tokenProgramNames.has(stored.owner), 'AccountOwnedByWrongProgram', account);
  return stored.data;
}

/** The account must be one of the two token programs. */
function requireTokenProgram(account: NamedAccount): void {
  const isTokenProgram = account.address === SPL_TOKEN || account.address === TOKEN_2022;
  requireAccount(isTokenProgram, 'InvalidProgramId', account);
}

export function requireAccount(
  condition: boolean,
  error: FrameworkErrorName,
  account: NamedAccount,
): asserts condition {
  if (!condition) throw frameworkError(error, account.name);
}

/** Reads the state of an account that the program owns. Fails as the framework does when `read` returns null. */
export function requireStateOf<State>(
  call: ProgramCall,
  account: NamedAccount,
  program: string,
  read: (account: ChainAccount) => State | null,
): State {
  const state = read(requireOwner(call, account, program));
  if (state === null) throw frameworkError('AccountDiscriminatorMismatch', account.name);
  return state;
}

function requireState(call: ProgramCall, account: NamedAccount, program: string, type: string): void {
  const { data } = requireOwner(call, account, program);
  const isOfType = sighash('account', type).every((byte, at) => byte === data[at]);
  requireAccount(isOfType, 'AccountDiscriminatorMismatch', account);
}

/** The stored account, which the program must own; one that does not exist belongs to the system program. */
function requireOwner(call: ProgramCall, account: NamedAccount, program: string): StoredAccount {
  const stored = call.account(account.address);
  requireAccount(stored !== null && stored.owner === program, 'AccountOwnedByWrongProgram', account);
  requireAccount(stored.data.length >= DISCRIMINATOR_BYTES, 'AccountDiscriminatorNotFound', account);
  return stored;
}

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
