import type { ChainAccount } from '../../../../src/chain/accounts/account-data.ts';
import { EVENT_AUTHORITY_SEED } from '../cpi/event.ts';
import { derivedAddress } from '../derived-address.ts';
import type { CallAccount, ProgramCall } from '../model.ts';
import { type FrameworkErrorName, frameworkError } from './anchor-error.ts';

/** What an instruction demands of one of its accounts. */
interface Demand {
  readonly signer?: true;
  readonly writable?: true;
  /** Absent when the program's own address stands in its place. */
  readonly optional?: true;
}

export const readonly = {} as const;
export const writable = { writable: true } as const;
export const signer = { signer: true } as const;
export const payer = { signer: true, writable: true } as const;
export const optional = { writable: true, optional: true } as const;

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
 * The accounts of a call by name, in order; more may follow. The two accounts with which a program sends itself events
 * are checked where they are named `event_authority` and `program`.
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
    if (!isAbsent) check({ ...account, name, index }, demand);
    found[name] = isAbsent ? null : { ...account, name, index };
  }
  const { event_authority: eventAuthority, program: self } = found;
  if (eventAuthority != null && self != null) {
    const derived = derivedAddress(program, EVENT_AUTHORITY_SEED);
    requireAccount(eventAuthority.address === derived.address, 'ConstraintSeeds', eventAuthority);
  }
  return found as NamedAccounts<Demands>;
}

function check(account: NamedAccount, demand: Demand): void {
  requireAccount(demand.signer !== true || account.signer, 'AccountNotSigner', account);
  requireAccount(demand.writable !== true || account.writable, 'ConstraintMut', account);
}

export function requireAccount(
  condition: boolean,
  error: FrameworkErrorName,
  account: NamedAccount,
): asserts condition {
  if (!condition) throw frameworkError(error, account.name);
}

/** The account's state as `read` finds it; fails as the framework does for an account that is anything else. */
export function loaded<State>(
  call: ProgramCall,
  account: NamedAccount,
  program: string,
  read: (account: ChainAccount) => State | null,
): State {
  const stored = call.account(account.address);
  requireAccount(stored !== null && stored.data.length > 0, 'AccountNotInitialized', account);
  requireAccount(stored.owner === program, 'AccountOwnedByWrongProgram', account);
  const state = read(stored);
  if (state === null) throw frameworkError('AccountDiscriminatorMismatch', account.name);
  return state;
}
