import type { RecordedTransaction } from './curve-fixtures.ts';
import type { BuiltCall } from './damm-v1-market.ts';
import { addressOf } from './program-idl.ts';

export interface BuiltPlace {
  signature: string;
  slot: number;
  /** Seconds. */
  blockTime: number | null;
  transactionIndex?: number;
  failed?: boolean;
  /** Token accounts whose mints the node reports. */
  mints?: Readonly<Record<string, string>>;
  /** True leaves out the call levels, like some nodes. */
  hidesLevels?: boolean;
  logs?: string[];
}

/** A result of `getTransaction` with these top-level instructions and their inner ones. */
export function builtTransaction(calls: readonly BuiltCall[], place: BuiltPlace): RecordedTransaction {
  const accountKeys: string[] = [addressOf('the payer')];
  const indexOf = (address: string) => {
    const at = accountKeys.indexOf(address);
    return at === -1 ? accountKeys.push(address) - 1 : at;
  };
  const instructionOf = ({ programAddress, accounts, data }: BuiltCall, stackHeight: number) => ({
    programIdIndex: indexOf(programAddress),
    accounts: accounts.map(indexOf),
    data,
    ...(place.hidesLevels === true ? {} : { stackHeight }),
  });
  const flatten = (call: BuiltCall, height: number): ReturnType<typeof instructionOf>[] =>
    call.inner.flatMap((one) => [instructionOf(one, height + 1), ...flatten(one, height + 1)]);
  const balances = Object.entries(place.mints ?? {}).map(([account, mint]) => ({
    accountIndex: indexOf(account),
    mint,
    owner: addressOf('an owner'),
    uiTokenAmount: { amount: '1', decimals: 9 },
  }));
  const instructions = calls.map((call) => instructionOf(call, 1));
  const meta = {
    err: place.failed === true ? { InstructionError: [0, { Custom: 1 }] } : null,
    innerInstructions: calls.map((call, index) => ({ index, instructions: flatten(call, 1) })),
    loadedAddresses: { writable: [], readonly: [] },
    preTokenBalances: balances,
    postTokenBalances: balances,
    logMessages: place.logs ?? [],
  };
  const { signature, slot, blockTime, transactionIndex } = place;
  return {
    slot,
    blockTime,
    ...(transactionIndex === undefined ? {} : { transactionIndex }),
    version: 0,
    meta,
    transaction: { signatures: [signature], message: { accountKeys, instructions } },
  };
}

/** A router's call that makes these calls, `levels` deep. */
export function routed(calls: readonly BuiltCall[], levels: number): BuiltCall {
  const router = { programAddress: addressOf('a router'), accounts: [], data: '' };
  return levels === 1 ? { ...router, inner: [...calls] } : { ...router, inner: [routed(calls, levels - 1)] };
}
