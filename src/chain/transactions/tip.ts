import type { SendRoute } from '../../db/values/transaction-intents.ts';
import { SYSTEM_PROGRAM } from '../accounts/programs.ts';
import { type Instruction, writable, writableSigner } from './instruction.ts';

const SYSTEM_TRANSFER = 2;

/** The payment of a transaction to the service that lands it. */
export interface Tip {
  account: string;
  lamports: bigint;
  /** The name of the service that it pays; null where the operator names none. */
  service: string | null;
}

/** An account that takes tips. */
export interface TipAccount {
  address: string;
  /** A name of `SOLANA_SEND_URL`; null where the operator gives none. */
  service: string | null;
}

/** The tips that the operator allows. */
export interface TipTerms {
  accounts: readonly TipAccount[];
  /** Names of the services that get protected transactions. */
  protectedServices: readonly string[];
  /** The tip of a request that names none. */
  defaultLamports: bigint;
  leastLamports: bigint;
  mostLamports: bigint;
}

/** The tip of the next transaction that a flow builds, and the bounds of a request. */
export interface TipSource {
  readonly terms: TipTerms;
  /** Whether an account takes tips of this route. */
  isPossible(route: SendRoute): boolean;
  /** Null for no lamports, and where no account takes tips of the route. */
  next(route: SendRoute, lamports: bigint): Tip | null;
}

/** Uses the accounts one after another, because transactions that write to the same account wait for each other. */
export function createTipSource(terms: TipTerms): TipSource {
  const { accounts, protectedServices } = terms;
  const isProtected = ({ service }: TipAccount) => service === null || protectedServices.includes(service);
  const accountsByRoute = { fast: accounts, protected: accounts.filter(isProtected) };
  let tipCount = 0;
  return {
    terms,
    isPossible: (route) => accountsByRoute[route].length > 0,
    next(route, lamports) {
      const candidates = accountsByRoute[route];
      const account = candidates[tipCount % candidates.length];
      tipCount += 1;
      if (account === undefined || lamports === 0n) return null;
      return { account: account.address, lamports, service: account.service };
    },
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
