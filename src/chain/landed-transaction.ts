import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { UNIX_SECONDS_MAX } from './accounts/sysvars.ts';

/** A token account of a transaction, with its balances. Null: it did not exist then. */
export interface TokenAccountChange {
  mintAddress: string;
  /** Null from nodes that do not report it. */
  ownerAddress: string | null;
  decimals: number;
  beforeRaw: bigint | null;
  afterRaw: bigint | null;
  /** Change of the lamports in the account, rent and wrapped SOL. */
  lamportsChange: bigint;
}

/** A transaction in its block, as a node reports it. */
export interface LandedTransaction {
  signature: string;
  slot: bigint;
  /** Null from nodes that have no time for the block. */
  blockTime: Date | null;
  /** Index in the block. Only newer nodes report it. */
  indexInBlock: number | null;
  failed: boolean;
  feeLamports: bigint;
  /** Only newer nodes report them. */
  computeUnits: bigint | null;
  /** Change of the lamports of each account of the message, in its order; then of those from lookup tables. */
  lamportsChanges: readonly bigint[];
  tokenAccounts: readonly TokenAccountChange[];
}

/** Plain JSON has numbers. A reader that keeps 64 bits has bigints. */
const Whole = Type.Union([Type.Integer({ minimum: 0 }), Type.BigInt({ minimum: 0n })]);
const Optional = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
const Address = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' });
const TokenBalance = Type.Object({
  accountIndex: Whole,
  mint: Address,
  owner: Optional(Address),
  uiTokenAmount: Type.Object({
    amount: Type.String({ pattern: '^[0-9]{1,20}$' }),
    decimals: Type.Union([
      Type.Integer({ minimum: 0, maximum: 255 }),
      Type.BigInt({ minimum: 0n, maximum: 255n }),
    ]),
  }),
});
const compiled = TypeCompiler.Compile(
  Type.Object({
    slot: Whole,
    blockTime: Optional(Whole),
    transactionIndex: Optional(Whole),
    meta: Type.Object({
      err: Type.Unknown(),
      fee: Whole,
      computeUnitsConsumed: Optional(Whole),
      preBalances: Type.Array(Whole),
      postBalances: Type.Array(Whole),
      preTokenBalances: Optional(Type.Array(TokenBalance)),
      postTokenBalances: Optional(Type.Array(TokenBalance)),
    }),
    transaction: Type.Object({ signatures: Type.Array(Type.String(), { minItems: 1 }) }),
  }),
);

/** The largest int4 and int8 of Postgres: no true value gets there. */
const INT4_MAX = 2n ** 31n - 1n;
const INT8_MAX = 2n ** 63n - 1n;

/**
 * Reads a result of JSON-RPC `getTransaction` with `encoding: "json"`. Null for anything that is not such a
 * result: the node is not believed then, and another one is asked.
 */
export function readLandedTransaction(result: unknown): LandedTransaction | null {
  if (!compiled.Check(result)) return null;
  const { meta, transaction, slot, blockTime, transactionIndex } = result;
  const [before, after] = [meta.preBalances, meta.postBalances];
  if (before.length !== after.length) return null;
  const lamportsChanges = before.map((lamports, at) => BigInt(after[at] ?? 0) - BigInt(lamports));
  const tokenAccounts = readTokenAccounts(
    meta.preTokenBalances ?? [],
    meta.postTokenBalances ?? [],
    lamportsChanges,
  );
  const seconds = blockTime == null ? null : BigInt(blockTime);
  const [index, units, fee] = [transactionIndex, meta.computeUnitsConsumed, BigInt(meta.fee)];
  const isInRange =
    BigInt(slot) <= INT8_MAX &&
    fee <= INT8_MAX &&
    BigInt(units ?? 0) <= INT8_MAX &&
    BigInt(index ?? 0) <= INT4_MAX &&
    (seconds ?? 0n) <= UNIX_SECONDS_MAX;
  if (tokenAccounts === null || !isInRange) return null;
  return {
    signature: transaction.signatures[0] ?? '',
    slot: BigInt(slot),
    blockTime: seconds === null ? null : new Date(Number(seconds) * 1_000),
    indexInBlock: index == null ? null : Number(index),
    failed: meta.err !== null && meta.err !== undefined,
    feeLamports: fee,
    computeUnits: units == null ? null : BigInt(units),
    lamportsChanges,
    tokenAccounts,
  };
}

/** One entry for each account; null when one is no account of the transaction. */
function readTokenAccounts(
  before: readonly Static<typeof TokenBalance>[],
  after: readonly Static<typeof TokenBalance>[],
  lamportsChanges: readonly bigint[],
): TokenAccountChange[] | null {
  const accounts = new Map<number, TokenAccountChange>();
  for (const [side, entries] of [
    ['beforeRaw', before],
    ['afterRaw', after],
  ] as const) {
    for (const { accountIndex, mint, owner, uiTokenAmount } of entries) {
      const at = Number(accountIndex);
      const lamportsChange = lamportsChanges[at];
      if (lamportsChange === undefined) return null;
      const known = accounts.get(at);
      accounts.set(at, {
        beforeRaw: known?.beforeRaw ?? null,
        afterRaw: known?.afterRaw ?? null,
        mintAddress: mint,
        ownerAddress: owner ?? known?.ownerAddress ?? null,
        decimals: Number(uiTokenAmount.decimals),
        lamportsChange,
        [side]: BigInt(uiTokenAmount.amount),
      });
    }
  }
  return [...accounts.values()];
}
