import { ByteReader, MalformedBytes } from '../byte-reader.ts';
import { applyForm, type ParsedForm, parseByTable } from './instruction-form.ts';
import { TOKEN_INSTRUCTIONS } from './token-instructions.ts';
import { INTERFACE_DISCRIMINATOR_BYTES, INTERFACE_FORMS } from './token-interface-instructions.ts';

const BATCH = 255;

/** One instruction of a token program: its own, one of an interface it implements, or a batch. @throws MalformedBytes */
export function parseTokenInstruction(accounts: readonly string[], data: Uint8Array): ParsedForm {
  if (data[0] === BATCH) return parseBatch(accounts, data);
  const discriminator = Buffer.from(data.subarray(0, INTERFACE_DISCRIMINATOR_BYTES)).toString('hex');
  const form = INTERFACE_FORMS.get(discriminator);
  if (form === undefined) return parseByTable(TOKEN_INSTRUCTIONS, accounts, data);
  return applyForm(form, accounts, new ByteReader(data, INTERFACE_DISCRIMINATOR_BYTES));
}

/** Several instructions in one: a number of accounts and a length each; batches do not nest. */
function parseBatch(accounts: readonly string[], data: Uint8Array): ParsedForm {
  const reader = new ByteReader(data, 1);
  const instructions: ParsedForm[] = [];
  let taken = 0;
  while (reader.remaining > 0) {
    const accountCount = reader.u8();
    const inner = reader.take(reader.u8());
    if (inner[0] === BATCH || taken + accountCount > accounts.length) throw new MalformedBytes('not a batch');
    instructions.push(parseTokenInstruction(accounts.slice(taken, taken + accountCount), inner));
    taken += accountCount;
  }
  return { type: 'batch', info: { instructions } };
}
