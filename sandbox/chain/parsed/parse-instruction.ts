import {
  ASSOCIATED_TOKEN,
  SPL_TOKEN,
  SYSTEM_PROGRAM,
  TOKEN_2022,
} from '../../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { MalformedBytes } from '../byte-reader.ts';
import { MEMO_PROGRAMS } from '../memos.ts';
import { utf8 } from './field-layouts.ts';
import { type FormTable, type ParsedForm, parseByTable } from './instruction-form.ts';
import { SYSTEM_INSTRUCTIONS } from './system-instructions.ts';
import { TOKEN_INSTRUCTIONS } from './token-instructions.ts';

/** An instruction with its addresses in place of account indexes. */
export interface ResolvedInstruction {
  readonly programId: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
  readonly stackHeight: number;
}

interface ParsableProgram {
  readonly name: string;
  /** `parsed` of one instruction. Throws MalformedBytes when the program does not understand it either. */
  readonly parse: (accounts: readonly string[], data: Uint8Array) => ParsedForm | string;
}

const NEW_ACCOUNT = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'] as const;
const NESTED = [
  'nestedSource',
  'nestedMint',
  'destination',
  'nestedOwner',
  'ownerMint',
  'wallet',
  'tokenProgram',
];
const ASSOCIATED_TOKEN_INSTRUCTIONS: FormTable = {
  discriminatorBytes: 1,
  forms: {
    0: { type: 'create', accounts: NEW_ACCOUNT },
    1: { type: 'createIdempotent', accounts: NEW_ACCOUNT },
    2: { type: 'recoverNested', accounts: NESTED },
  },
};

const MEMO: ParsableProgram = { name: 'spl-memo', parse: (_accounts, data) => utf8(data) };
// In instructions both token programs have one name; their accounts have two.
const TOKEN: ParsableProgram = {
  name: 'spl-token',
  parse: (accounts, data) => parseByTable(TOKEN_INSTRUCTIONS, accounts, data),
};

const PROGRAMS: ReadonlyMap<string, ParsableProgram> = new Map([
  [
    SYSTEM_PROGRAM,
    { name: 'system', parse: (accounts, data) => parseByTable(SYSTEM_INSTRUCTIONS, accounts, data) },
  ],
  [SPL_TOKEN, TOKEN],
  [TOKEN_2022, TOKEN],
  [ASSOCIATED_TOKEN, { name: 'spl-associated-token-account', parse: parseAssociatedToken }],
  ...MEMO_PROGRAMS.map((address) => [address, MEMO] as const),
]);

/** An instruction as `jsonParsed` shows it: parsed when its program is known and understands it, else as it is. */
export function instructionJson(instruction: ResolvedInstruction): Record<string, unknown> {
  const { programId, accounts, data, stackHeight } = instruction;
  const program = PROGRAMS.get(programId);
  const parsed = program === undefined ? null : parsedOrNull(program, accounts, data);
  if (program === undefined || parsed === null)
    return { programId, accounts, data: encodeBase58(data), stackHeight };
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

/** No data at all means `create`. */
function parseAssociatedToken(accounts: readonly string[], data: Uint8Array): ParsedForm {
  if (data.length > 1) throw new MalformedBytes('trailing bytes');
  return parseByTable(ASSOCIATED_TOKEN_INSTRUCTIONS, accounts, data.length === 0 ? Uint8Array.of(0) : data);
}
