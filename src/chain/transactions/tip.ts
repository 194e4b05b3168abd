import { SYSTEM_PROGRAM } from '../accounts/programs.ts';
import { type Instruction, writable, writableSigner } from './instruction.ts';

const SYSTEM_TRANSFER = 2;

/** The payment of a transaction to the service that lands it. */
export interface Tip {
  account: string;
  lamports: bigint;
}

/** The tip of the next transaction that a flow builds. Null where none is configured. */
export type TipSource = () => Tip | null;

/** Takes the accounts in turn, because transactions that write to the same account wait for each other. */
export function createTipSource(accounts: readonly string[], lamports: bigint): TipSource {
  let next = 0;
  return () => {
    const account = accounts[next % accounts.length];
    next += 1;
    return account === undefined || lamports === 0n ? null : { account, lamports };
  };
}

/** The payment of a tip, as the last instruction of a transaction. Empty without a tip. */
export function tipInstructions(payer: string, tip: Tip | null): Instruction[] {
  return tip === null ? [] : [transferLamports(payer, tip.account, tip.lamports)];
}

export function transferLamports(from: string, to: string, lamports: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(SYSTEM_TRANSFER, 0);
  data.writeBigUInt64LE(lamports, 4);
  return { program: SYSTEM_PROGRAM, accounts: [writableSigner(from), writable(to)], data };
}
