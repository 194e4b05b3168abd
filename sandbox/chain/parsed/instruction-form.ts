import { ByteReader, MalformedBytes } from '../byte-reader.ts';
import type { Layout } from './field-layouts.ts';

/** What `parsed` shows of an instruction that has arguments or accounts. */
export interface ParsedForm {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}

/** Names of the authority: alone, or a multisig account followed by its `signers`. */
export interface AuthorityNames {
  readonly single: string;
  readonly multisig: string;
}

/** How one kind of instruction is shown: its accounts by position and its arguments. */
export interface InstructionForm {
  readonly type: string;
  /** Names of the accounts that come first; all must be there. */
  readonly accounts: readonly string[];
  /** How many accounts must follow that are not shown. */
  readonly hiddenAccounts?: number;
  /** The authority that follows them. */
  readonly authority?: AuthorityNames;
  /** Accounts after the named ones, shown only when all of them are there. */
  readonly optionalAccounts?: readonly string[];
  /** Accounts after the named ones, each null when it is not there. */
  readonly nullableAccounts?: readonly string[];
  /** Name of the list of all accounts after the named ones, and how many it holds at least. */
  readonly restAccounts?: { readonly name: string; readonly least: number };
  /** Name of the list of the last accounts, and the argument (not shown) that counts them. */
  readonly lastAccounts?: { readonly name: string; readonly countedBy: string };
  /** Arguments behind the discriminator. */
  readonly args?: Layout;
  /** Fields that follow from the discriminator. */
  readonly constants?: Readonly<Record<string, unknown>>;
}

/** Forms by the next discriminator of the data. */
export interface FormTable {
  readonly discriminatorBytes: 1 | 4;
  readonly forms: Readonly<Record<number, FormEntry>>;
}

/** A form, a table behind a further discriminator, or a form that depends on the arguments. */
export type FormEntry = InstructionForm | FormTable | ((reader: ByteReader) => InstructionForm);

/** A table behind a one-byte discriminator. */
export function byByte(forms: Readonly<Record<number, FormEntry>>): FormTable {
  return { discriminatorBytes: 1, forms };
}

/** A table behind a four-byte discriminator. */
export function byWord(forms: Readonly<Record<number, FormEntry>>): FormTable {
  return { discriminatorBytes: 4, forms };
}

/** @throws MalformedBytes when the table has no form for the data, or data or accounts are too short for it */
export function parseByTable(table: FormTable, accounts: readonly string[], data: Uint8Array): ParsedForm {
  const reader = new ByteReader(data);
  let entry: FormEntry = table;
  while (typeof entry !== 'function' && 'forms' in entry) {
    const discriminator: number = entry.discriminatorBytes === 1 ? reader.u8() : reader.u32();
    const next: FormEntry | undefined = entry.forms[discriminator];
    if (next === undefined) throw new MalformedBytes('unknown discriminator');
    entry = next;
  }
  // A form that depends on its arguments looks at them first, and they are then read as its own.
  const form = typeof entry === 'function' ? entry(new ByteReader(data, reader.offset)) : entry;
  return applyForm(form, accounts, reader);
}

/** Shows one instruction; `reader` stands behind the discriminator. @throws MalformedBytes */
export function applyForm(
  form: InstructionForm,
  accounts: readonly string[],
  reader: ByteReader,
): ParsedForm {
  const args = form.args?.(reader) ?? {};
  const { shown, counted } = takeLast(form, accounts, args);
  const least =
    form.accounts.length +
    (form.authority === undefined ? 0 : 1) +
    (form.hiddenAccounts ?? 0) +
    (form.restAccounts?.least ?? 0);
  if (counted.length < least) throw new MalformedBytes('too few accounts');
  const after = counted.slice(form.accounts.length);
  return {
    type: form.type,
    info: {
      ...Object.fromEntries(form.accounts.map((name, position) => [name, counted[position]])),
      ...form.constants,
      ...shown,
      ...authorityOf(form.authority, after),
      ...extraAccounts(form, after),
    },
  };
}

/** Splits off the last accounts that an argument counts; other arguments are shown as they are. */
function takeLast(
  form: InstructionForm,
  accounts: readonly string[],
  args: Record<string, unknown>,
): { shown: Record<string, unknown>; counted: readonly string[] } {
  if (form.lastAccounts === undefined) return { shown: args, counted: accounts };
  const { name, countedBy } = form.lastAccounts;
  const { [countedBy]: count, ...rest } = args;
  const first = accounts.length - Number(count);
  if (first < 0) throw new MalformedBytes('too few accounts');
  return { shown: { ...rest, [name]: accounts.slice(first) }, counted: accounts.slice(0, first) };
}

function authorityOf(names: AuthorityNames | undefined, after: readonly string[]): Record<string, unknown> {
  if (names === undefined) return {};
  const [authority, ...signers] = after;
  return signers.length === 0 ? { [names.single]: authority } : { [names.multisig]: authority, signers };
}

function extraAccounts(form: InstructionForm, after: readonly string[]): Record<string, unknown> {
  const { optionalAccounts = [], nullableAccounts = [], restAccounts } = form;
  if (restAccounts !== undefined) return { [restAccounts.name]: after };
  const names = after.length >= optionalAccounts.length ? optionalAccounts : [];
  return Object.fromEntries([
    ...names.map((name, position) => [name, after[position]]),
    ...nullableAccounts.map((name, position) => [name, after[position] ?? null]),
  ]);
}
