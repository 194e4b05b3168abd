import { readdirSync, readFileSync } from 'node:fs';
import type { CurvePool } from '../../../src/indexer/decode/known-pools.ts';

/** A trade as the fixtures' README defines it; amounts and prices are decimal strings. */
export interface ExpectedTrade {
  type: 'buy' | 'sell';
  traderWallet: string;
  mintAddress: string;
  poolAddress: string;
  solAmount: string;
  tokenAmount: string;
  pricePerTokenInSol: string;
  spotPriceInSol: string;
  outerIndex: number;
  innerIndex: number;
  slot: number;
  signature: string;
}

interface RecordedInstruction {
  programIdIndex: number;
  accounts: number[];
  data: string;
  stackHeight?: number | null;
}

/** A recorded result of `getTransaction`, with the fields that tests use. */
export interface RecordedTransaction {
  slot: number;
  blockTime: number | null;
  transactionIndex?: number;
  version: unknown;
  meta: {
    err: unknown;
    innerInstructions: { index: number; instructions: RecordedInstruction[] }[];
    loadedAddresses: { writable: string[]; readonly: string[] };
  };
  transaction: {
    signatures: string[];
    message: { accountKeys: string[]; instructions: RecordedInstruction[] };
  };
}

export interface CurveFixture {
  name: string;
  pool: CurvePool;
  steps: {
    transaction: RecordedTransaction;
    expected: { trades: ExpectedTrade[]; curveCompleted: boolean; liquidityInSol: string | null };
  }[];
}

const FOLDER = new URL('../../fixtures/dbc/', import.meta.url);

/** Every recorded history of a pool. Each call returns a fresh copy, which a test may change. */
export function readCurveFixtures(): CurveFixture[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { name, steps, expectedSupply } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
      const { pool: poolAddress, baseMint: mintAddress } = expectedSupply.knownAddresses;
      return { name, steps, pool: { poolAddress, mintAddress, decimals: expectedSupply.decimals } };
    });
}

/** The history whose name begins with `letter`. */
export function curveFixture(letter: string): CurveFixture {
  const found = readCurveFixtures().find(({ name }) => name.startsWith(`${letter}-`));
  if (found === undefined) throw new Error(`no fixture ${letter}`);
  return found;
}
