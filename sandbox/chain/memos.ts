import bs58 from 'bs58';
import { parseTransaction } from './wire-transaction.ts';

/** Both versions of the memo program. */
export const MEMO_PROGRAMS = [
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
] as const;
const programBytes = MEMO_PROGRAMS.map((address) => Buffer.from(bs58.decode(address)));

/** The memos of a transaction's own instructions with their lengths, as nodes list them; null when it has none. */
export function memosOf(wire: Uint8Array): string | null {
  // Unpacking every listed transaction costs more than looking whether the program is named at all.
  const bytes = Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength);
  if (!programBytes.some((program) => bytes.includes(program))) return null;
  const { staticKeys, instructions } = parseTransaction(wire).message;
  const programs: readonly string[] = MEMO_PROGRAMS;
  const memos = instructions
    .filter(({ programIdIndex }) => programs.includes(staticKeys[programIdIndex] ?? ''))
    .map(({ data }) => `[${data.length}] ${textOf(data)}`);
  return memos.length === 0 ? null : memos.join('; ');
}

function textOf(data: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return '(unreadable)';
  }
}
