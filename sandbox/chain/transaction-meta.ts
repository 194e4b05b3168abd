import type { TransactionMetadata } from 'litesvm/dist/internal.js';
import { encodeBase58 } from '../../src/shared/base58.ts';
import type { LoadedAddresses } from './address-lookup.ts';
import type { BalanceCapture } from './balance-capture.ts';
import type { TransactionError } from './transaction-error.ts';

interface InnerInstructionJson {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  readonly stackHeight: number;
}

/** The instructions that one top-level instruction called. */
export interface InnerInstructionGroup {
  readonly index: number;
  readonly instructions: readonly InnerInstructionJson[];
}

export interface MetaInput {
  readonly err: TransactionError | null;
  readonly feeLamports: bigint;
  /** What it took of the block's compute units. */
  readonly costUnits: number;
  readonly before: BalanceCapture;
  readonly after: BalanceCapture;
  readonly loaded: LoadedAddresses;
  readonly execution: TransactionMetadata;
}

/** The `meta` object of getTransaction, ready to be stored as JSON. Lamports stay below 2^53 on this chain. */
export function buildMeta(input: MetaInput): Record<string, unknown> {
  const { err, before, after, execution } = input;
  const returned = returnDataOf(execution);
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee: Number(input.feeLamports),
    preBalances: before.lamports.map(Number),
    postBalances: after.lamports.map(Number),
    innerInstructions: innerInstructionsOf(execution),
    logMessages: execution.logs(),
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
    rewards: [],
    loadedAddresses: input.loaded,
    computeUnitsConsumed: Number(execution.computeUnitsConsumed()),
    costUnits: input.costUnits,
    ...(returned === null ? {} : { returnData: returned }),
  };
}

/** Inner instructions grouped by top-level index; account indexes run over static, writable-loaded, readonly-loaded. */
export function innerInstructionsOf(execution: TransactionMetadata): InnerInstructionGroup[] {
  return execution
    .innerInstructions()
    .map((list, index) => ({
      index,
      instructions: list.map((inner) => {
        const instruction = inner.instruction();
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: encodeBase58(instruction.data()),
          stackHeight: inner.stackHeight(),
        };
      }),
    }))
    .filter((group) => group.instructions.length > 0);
}

/** The return data of the last program that set any, as RPC shows it; null when none did. */
export function returnDataOf(
  execution: TransactionMetadata,
): { programId: string; data: [string, 'base64'] } | null {
  const returned = execution.returnData();
  const data = returned.data();
  if (data.length === 0) return null;
  return {
    programId: encodeBase58(returned.programId()),
    data: [Buffer.from(data).toString('base64'), 'base64'],
  };
}
