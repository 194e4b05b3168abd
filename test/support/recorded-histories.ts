import { readdirSync, readFileSync } from 'node:fs';

/** A token balance of `getTransaction`. */
export interface RecordedTokenBalance {
  accountIndex: number;
  mint: string;
  owner: string;
  programId: string;
  uiTokenAmount: { amount: string; decimals: number };
}

interface RecordedInstruction {
  programIdIndex: number;
  accounts: number[];
  data: string;
  stackHeight: number | null;
}

/** The effects of a transaction, from `getTransaction` with encoding `json`. */
export interface RecordedExecution {
  slot: number;
  blockTime: number;
  meta: {
    err: unknown;
    fee: number;
    innerInstructions: { index: number; instructions: RecordedInstruction[] }[];
    loadedAddresses: { writable: string[]; readonly: string[] };
    logMessages: string[];
    preBalances: number[];
    postBalances: number[];
    preTokenBalances: RecordedTokenBalance[];
    postTokenBalances: RecordedTokenBalance[];
  };
  transaction: { message: { accountKeys: string[]; instructions: RecordedInstruction[] } };
}

/** A pool's transactions in order, executed by the compiled programs, and the final accounts. */
export interface RecordedHistory {
  /** Folder and file. */
  file: string;
  steps: { what?: string; transaction: RecordedExecution; transactionBase64: string }[];
  accountsAfter: Readonly<Record<string, { owner: string; lamports: number; dataBase64: string }>>;
}

const FIXTURES = new URL('../fixtures/', import.meta.url);

/** Every history of the folders `launch`, `dbc` and `damm`. */
export function readRecordedHistories(): RecordedHistory[] {
  return ['launch', 'dbc', 'damm'].flatMap((folder) =>
    readdirSync(new URL(folder, FIXTURES))
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => ({
        ...JSON.parse(readFileSync(new URL(`${folder}/${file}`, FIXTURES), 'utf8')),
        file: `${folder}/${file}`,
      })),
  );
}

/** All accounts of a transaction in the order of its balances. */
export function accountsOf({ transaction, meta }: RecordedExecution): string[] {
  const { writable, readonly } = meta.loadedAddresses;
  return [...transaction.message.accountKeys, ...writable, ...readonly];
}
