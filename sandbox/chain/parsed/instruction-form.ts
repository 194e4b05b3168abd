import { ByteReader, MalformedBytes } from '../byte-reader.ts';
import type { Layout } from './field-layouts.ts';

/** What `parsed` shows of an instruction or account. */
export interface ParsedForm {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}

/** How one kind of instruction is shown: its accounts by position and its arguments. */
export interface InstructionForm {
  readonly type: string;
  /** Names of the accounts that come first; all must be there. */
  readonly accounts: readonly string[];
  /** Number of accounts that must follow and are not shown. */
  readonly hiddenAccounts?: number;
  /** Names of the authority that follows: alone, and as a multisig account before its `signers`. */
  readonly authority?: { readonly single: string; readonly multisig: string };
  /** Whether all accounts after the named ones are `signers`, at least one. */
  readonly hasSigners?: boolean;
  /** Arguments after the discriminator. */
  readonly args?: Layout;
}

/** Forms by the discriminator of the data. */
export interface FormTable {
  readonly discriminatorBytes: 1 | 4;
  /** A form, or a function that chooses it by the bytes after the discriminator. */
  readonly forms: Readonly<Record<number, InstructionForm | ((reader: ByteReader) => InstructionForm)>>;
}

/** @throws MalformedBytes when the table has no form for the data, or data or accounts are too short for it */
export function parseByTable(table: FormTable, accounts: readonly string[], data: Uint8Array): ParsedForm {
  const reader = new ByteReader(data);
  const entry = table.forms[table.discriminatorBytes === 1 ? reader.u8() : reader.u32()];
  if (entry === undefined) throw new MalformedBytes('unknown discriminator');
  // A function reads with its own cursor: the form reads the same bytes again as arguments.
  const form = typeof entry === 'function' ? entry(new ByteReader(data, reader.offset)) : entry;
  return applyForm(form, accounts, reader);
}

function applyForm(form: InstructionForm, accounts: readonly string[], reader: ByteReader): ParsedForm {
  const args = form.args?.(reader) ?? {};
  const hasMore = form.authority !== undefined || form.hasSigners === true;
  const least = form.accounts.length + (form.hiddenAccounts ?? 0) + (hasMore ? 1 : 0);
  if (accounts.length < least) throw new MalformedBytes('too few accounts');
  const after = accounts.slice(form.accounts.length);
  return {
    type: form.type,
    info: {
      ...Object.fromEntries(form.accounts.map((name, position) => [name, accounts[position]])),
      ...args,
      ...authorityOf(form.authority, after),
      ...(form.hasSigners === true ? { signers: after } : {}),
    },
  };
}

function authorityOf(names: InstructionForm['authority'], after: readonly string[]): Record<string, unknown> {
  if (names === undefined) return {};
  const [authority, ...signers] = after;
  return signers.length === 0 ? { [names.single]: authority } : { [names.multisig]: authority, signers };
}
