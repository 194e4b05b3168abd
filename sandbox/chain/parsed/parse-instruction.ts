import bs58 from 'bs58';
import { LOOKUP_TABLE_PROGRAM } from '../address-lookup.ts';
import { ByteReader, MalformedBytes } from '../byte-reader.ts';
import { MEMO_PROGRAMS } from '../memos.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../token-accounts.ts';
import { ASSOCIATED_TOKEN_INSTRUCTIONS, CREATE } from './associated-token-instructions.ts';
import { utf8 } from './field-layouts.ts';
import { applyForm, type FormTable, type ParsedForm, parseByTable } from './instruction-form.ts';
import { UPGRADEABLE_LOADER_INSTRUCTIONS } from './loader-instructions.ts';
import { LOOKUP_TABLE_INSTRUCTIONS } from './lookup-table-instructions.ts';
import { SYSTEM_INSTRUCTIONS } from './system-instructions.ts';
import { parseTokenInstruction } from './token-instruction.ts';

/** An instruction with its addresses in place of account indexes. */
export interface ResolvedInstruction {
  readonly programId: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
  readonly stackHeight: number;
}

/** `parsed` of one instruction. @throws MalformedBytes when the program would not have understood it either */
type InstructionParser = (accounts: readonly string[], data: Uint8Array) => ParsedForm | string;

interface ParsableProgram {
  readonly name: string;
  readonly parse: InstructionParser;
}

const byTable =
  (table: FormTable): InstructionParser =>
  (accounts, data) =>
    parseByTable(table, accounts, data);

const MEMO: ParsableProgram = { name: 'spl-memo', parse: (_accounts, data) => utf8(data) };
// In instructions both token programs have one name; their accounts have two.
const TOKEN: ParsableProgram = { name: 'spl-token', parse: parseTokenInstruction };

const PROGRAMS: ReadonlyMap<string, ParsableProgram> = new Map([
  ['11111111111111111111111111111111', { name: 'system', parse: byTable(SYSTEM_INSTRUCTIONS) }],
  [TOKEN_PROGRAM, TOKEN],
  [TOKEN_2022_PROGRAM, TOKEN],
  [
    'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
    { name: 'spl-associated-token-account', parse: parseAssociatedToken },
  ],
  ...MEMO_PROGRAMS.map((address) => [address, MEMO] as const),
  [LOOKUP_TABLE_PROGRAM, { name: 'address-lookup-table', parse: byTable(LOOKUP_TABLE_INSTRUCTIONS) }],
  [
    'BPFLoaderUpgradeab1e11111111111111111111111',
    { name: 'bpf-upgradeable-loader', parse: byTable(UPGRADEABLE_LOADER_INSTRUCTIONS) },
  ],
]);

/** An instruction as `jsonParsed` shows it: parsed when its program is known and understood it, else as it is. */
export function instructionJson(instruction: ResolvedInstruction): Record<string, unknown> {
  const { programId, accounts, data, stackHeight } = instruction;
  const program = PROGRAMS.get(programId);
  const parsed = program === undefined ? null : parsedOrNull(program, accounts, data);
  if (program === undefined || parsed === null)
    return { programId, accounts, data: bs58.encode(data), stackHeight };
  return { program: program.name, programId, parsed, stackHeight };
}

function parsedOrNull(
  { parse }: ParsableProgram,
  accounts: readonly string[],
  data: Uint8Array,
): ParsedForm | string | null {
  try {
    return parse(accounts, data);
  } catch (error) {
    if (error instanceof MalformedBytes) return null;
    throw error;
  }
}

function parseAssociatedToken(accounts: readonly string[], data: Uint8Array): ParsedForm {
  if (data.length > 1) throw new MalformedBytes('trailing bytes');
  if (data.length === 1) return parseByTable(ASSOCIATED_TOKEN_INSTRUCTIONS, accounts, data);
  return applyForm(CREATE, accounts, new ByteReader(data));
}
