import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

/** An instruction as it was executed, with resolved addresses. */
export interface Instruction {
  programAddress: string;
  accounts: readonly string[];
  /** Base58, as the node returned it. */
  data: string;
  /** 1 at top level. Null from nodes that do not report it. */
  stackHeight: number | null;
}

/** A top-level instruction with all its inner instructions, in order. */
export interface OuterInstruction extends Instruction {
  outerIndex: number;
  inner: readonly Instruction[];
}

/** A token account that a transaction touched, with its balance before and after. */
export interface TokenBalance {
  accountAddress: string;
  mintAddress: string;
  /** Null from nodes that do not report it. */
  ownerAddress: string | null;
  /** Null: no account of this mint was at the address then. */
  beforeRaw: bigint | null;
  afterRaw: bigint | null;
}

/** The parts of a transaction that the decoder needs. */
export interface ChainTransaction {
  signature: string;
  slot: bigint;
  /** Seconds since the epoch. */
  blockTimeSeconds: bigint | null;
  /** Position in its block. Only newer nodes report it. */
  transactionIndex: number | null;
  failed: boolean;
  /** Empty from nodes that do not report it. Accounts that were both opened and closed are left out. */
  tokenBalances: readonly TokenBalance[];
  instructions: readonly OuterInstruction[];
}

/** Plain JSON has numbers. A reader that keeps 64 bits has bigints. */
const Whole = Type.Union([Type.Integer({ minimum: 0 }), Type.BigInt({ minimum: 0n })]);
const Addresses = Type.Array(Type.String());
const InstructionJson = Type.Object({
  programIdIndex: Whole,
  accounts: Type.Array(Whole),
  data: Type.String(),
  stackHeight: Type.Optional(Type.Union([Whole, Type.Null()])),
});
const InnerJson = Type.Object({ index: Whole, instructions: Type.Array(InstructionJson) });
const TokenBalanceJson = Type.Object({
  accountIndex: Whole,
  mint: Type.String(),
  owner: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  uiTokenAmount: Type.Object({ amount: Type.String({ pattern: '^[0-9]+$' }) }),
});
const TokenBalancesJson = Type.Optional(Type.Union([Type.Array(TokenBalanceJson), Type.Null()]));
const compiled = TypeCompiler.Compile(
  Type.Object({
    slot: Whole,
    blockTime: Type.Optional(Type.Union([Whole, Type.Null()])),
    transactionIndex: Type.Optional(Type.Union([Whole, Type.Null()])),
    meta: Type.Object({
      err: Type.Unknown(),
      innerInstructions: Type.Optional(Type.Union([Type.Array(InnerJson), Type.Null()])),
      preTokenBalances: TokenBalancesJson,
      postTokenBalances: TokenBalancesJson,
      loadedAddresses: Type.Optional(
        Type.Union([Type.Object({ writable: Addresses, readonly: Addresses }), Type.Null()]),
      ),
    }),
    transaction: Type.Object({
      signatures: Type.Array(Type.String(), { minItems: 1 }),
      message: Type.Object({ accountKeys: Addresses, instructions: Type.Array(InstructionJson) }),
    }),
  }),
);
type InstructionJson = Static<typeof InstructionJson>;
type TokenBalanceJson = Static<typeof TokenBalanceJson>;

/**
 * Reads a result of JSON-RPC `getTransaction` with `encoding: "json"`, of every message version: legacy, 0
 * with lookup tables, 1 (reference/solana#account-indexes). Throws RangeError for anything else, and for a
 * transaction without its metadata: such a response is not believed, and the transaction must not be skipped.
 */
export function readChainTransaction(result: unknown): ChainTransaction {
  if (!compiled.Check(result)) {
    const mistake = compiled.Errors(result).First();
    throw new RangeError(`not a transaction: ${mistake?.path} ${mistake?.message}`);
  }
  const { meta, transaction, slot, blockTime, transactionIndex } = result;
  const failed = meta.err !== null && meta.err !== undefined;
  if (!failed && meta.innerInstructions == null) throw new RangeError('no inner instructions were recorded');
  const { accountKeys, instructions } = transaction.message;
  // Indexes count the keys of the message, then the loaded writable addresses, then the loaded readonly
  // addresses.
  const { loadedAddresses } = meta;
  const addresses = [
    ...accountKeys,
    ...(loadedAddresses?.writable ?? []),
    ...(loadedAddresses?.readonly ?? []),
  ];
  const inner = new Map(meta.innerInstructions?.map((entry) => [Number(entry.index), entry.instructions]));
  return {
    signature: transaction.signatures[0] ?? '',
    slot: BigInt(slot),
    blockTimeSeconds: blockTime == null ? null : BigInt(blockTime),
    transactionIndex: transactionIndex == null ? null : Number(transactionIndex),
    failed,
    tokenBalances: readTokenBalances(meta.preTokenBalances ?? [], meta.postTokenBalances ?? [], addresses),
    instructions: instructions.map((outer, outerIndex) => ({
      ...readInstruction(outer, addresses, 1),
      outerIndex,
      inner: (inner.get(outerIndex) ?? []).map((one) => readInstruction(one, addresses, null)),
    })),
  };
}

/**
 * One entry for each account and mint, with the owner after the transaction. A closed account may be opened
 * for another mint.
 */
function readTokenBalances(
  before: readonly TokenBalanceJson[],
  after: readonly TokenBalanceJson[],
  addresses: readonly string[],
): TokenBalance[] {
  const balances = new Map<string, TokenBalance>();
  for (const [side, entries] of [
    ['beforeRaw', before],
    ['afterRaw', after],
  ] as const) {
    for (const { accountIndex, mint, owner, uiTokenAmount } of entries) {
      const accountAddress = addressAt(addresses, accountIndex);
      const key = `${accountAddress} ${mint}`;
      const known = balances.get(key) ?? { beforeRaw: null, afterRaw: null, ownerAddress: null };
      balances.set(key, {
        ...known,
        accountAddress,
        mintAddress: mint,
        ownerAddress: owner ?? known.ownerAddress,
        [side]: BigInt(uiTokenAmount.amount),
      });
    }
  }
  return [...balances.values()];
}

function readInstruction(
  { programIdIndex, accounts, data, stackHeight }: InstructionJson,
  addresses: readonly string[],
  defaultHeight: number | null,
): Instruction {
  return {
    programAddress: addressAt(addresses, programIdIndex),
    accounts: accounts.map((index) => addressAt(addresses, index)),
    data,
    stackHeight: stackHeight == null ? defaultHeight : Number(stackHeight),
  };
}

function addressAt(addresses: readonly string[], index: number | bigint): string {
  const address = addresses[Number(index)];
  if (address === undefined) throw new RangeError(`no account ${index} in the transaction`);
  return address;
}
