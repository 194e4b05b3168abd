import { BONDING_CURVE, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { rawToDecimal } from '../../shared/decimal.ts';
import type { OuterInstruction } from './chain-transaction.ts';
import type { FactPosition, Migration } from './decoded-transaction.ts';
import { instructionDiscriminator, instructionNames } from './discriminators.ts';
import { hasUsableDecimals, type KnownPools, type TokenPool } from './known-pools.ts';
import { callsOf, innerRange } from './program-calls.ts';
import { transferredRaw } from './token-transfers.ts';
import { toSol } from './trade-values.ts';

/** Indexes of accounts in the instructions that end a curve (reference/solana#migrations). */
const accountIndexes = {
  migration_damm_v2: {
    venue: 'damm',
    curvePool: 0,
    ammPool: 4,
    ammProgram: 12,
    baseMint: 13,
    quoteMint: 14,
    baseVault: 17,
    quoteVault: 18,
    ammConfig: 25,
  },
  migrate_meteora_damm: {
    venue: 'damm_v1',
    curvePool: 0,
    ammPool: 4,
    ammConfig: 5,
    baseMint: 7,
    quoteMint: 8,
    baseVault: 17,
    quoteVault: 18,
    ammProgram: 26,
  },
} as const;
/** Both instructions have their base mint at 7 or later, so one with fewer accounts names none. */
const ACCOUNTS_MIN = 8;
const migrationInstructions = instructionNames(['migration_damm_v2', 'migrate_meteora_damm']);

/** A migration, and the inner instructions that ran inside it. */
export interface MigrationCall {
  migration: Migration;
  firstInner: number;
  endInner: number;
}

/**
 * Migrations of known curves, or into known AMM pools, in one top-level instruction. From here on the AMM
 * pool is known too, so its events inside the migration belong to the same token.
 */
export function migrationsIn(
  outer: OuterInstruction,
  position: Pick<FactPosition, 'signature' | 'slot' | 'blockTime'>,
  pools: KnownPools,
): MigrationCall[] {
  return callsOf(outer, BONDING_CURVE).flatMap((call) => {
    const { accounts } = call.instruction;
    // An event has fewer accounts. Its data need not be decoded.
    if (accounts.length < ACCOUNTS_MIN) return [];
    const name = migrationInstructions.get(instructionDiscriminator(call.instruction));
    if (name === undefined) return [];
    const indexes = accountIndexes[name];
    const curvePoolAddress = accounts[indexes.curvePool];
    const ammPoolAddress = accounts[indexes.ammPool];
    const ammProgram = accounts[indexes.ammProgram];
    const pool = pools.at(curvePoolAddress, 'dbc') ?? pools.at(ammPoolAddress, indexes.venue);
    const isWhole =
      curvePoolAddress !== undefined && ammPoolAddress !== undefined && ammProgram !== undefined;
    // The registered curve may belong to another token.
    if (pool === undefined || !isWhole || accounts[indexes.baseMint] !== pool.mintAddress) return [];
    const { mintAddress, decimals } = pool;
    pools.addMigrated({ venue: indexes.venue, poolAddress: ammPoolAddress, mintAddress, decimals });
    const range = innerRange(outer, call);
    const inside = outer.inner.slice(range.firstInner, range.endInner);
    const isInSol = accounts[indexes.quoteMint] === WRAPPED_SOL_MINT;
    const migration = {
      ...position,
      outerIndex: outer.outerIndex,
      innerIndex: call.innerIndex,
      mintAddress,
      curvePoolAddress,
      ammProgram,
      ammPoolAddress,
      ammConfigAddress: accounts[indexes.ammConfig] ?? null,
      solMoved: isInSol ? toSol(transferredRaw(inside, accounts[indexes.quoteVault])) : null,
      tokenMoved: tokenMoved(transferredRaw(inside, accounts[indexes.baseVault]), pool),
      positions: [],
    };
    return [{ migration, ...range }];
  });
}

function tokenMoved(raw: bigint, pool: TokenPool): Migration['tokenMoved'] {
  return hasUsableDecimals(pool) ? rawToDecimal(raw, pool.decimals) : null;
}
