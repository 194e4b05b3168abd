import { readdirSync, readFileSync } from 'node:fs';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import type { PoolLookup, TokenPool } from '../../../src/indexer/decode/known-pools.ts';
import type { ExpectedTrade, RecordedTransaction } from './curve-fixtures.ts';

/** A claim of fees as the README of test/fixtures/damm defines it. */
export interface ExpectedFeeClaim {
  kind: string;
  program: 'dbc' | 'damm';
  poolAddress: string;
  claimant: string;
  position?: string;
  solAmount: string;
  tokenAmount: string;
  solRecipientAccount: string | null;
  solRecipient: string | null;
  tokenRecipientAccount: string | null;
  tokenRecipient: string | null;
  outerIndex: number;
  innerIndex: number;
  event: string;
}

export interface ExpectedStep {
  trades: (ExpectedTrade & { venue: 'dbc' | 'damm' })[];
  curveCompleted: boolean;
  migrated: { ammProgram: string; ammPool: string; ammConfig: string; outerIndex: number } | null;
  liquidityInSol: string | null;
  liquidityPool: string | null;
  feeClaims?: ExpectedFeeClaim[];
  liquidityChanges?: {
    kind: 'add' | 'remove';
    position: string;
    owner: string;
    liquidity: string;
    solAmount: string;
    tokenAmount: string;
    outerIndex: number;
    innerIndex: number;
  }[];
  permanentLocks?: {
    position: string;
    liquidity: string;
    poolTotalPermanentlyLocked: string;
    outerIndex: number;
    innerIndex: number;
  }[];
}

export interface KnownDammAddresses {
  /** The curve's pool; absent for a pool that was opened directly. */
  pool?: string;
  config?: string;
  creator: string;
  baseMint: string;
  quoteMint: string;
  ammPool: string;
  ammConfig?: string;
  positions: { position: string; nftMint: string; nftAccount: string; owner: string }[];
}

/** A recorded history that spans graduation (test/fixtures/damm). */
export interface DammFixture {
  name: string;
  known: KnownDammAddresses;
  steps: { what: string; transaction: RecordedTransaction; expected: ExpectedStep }[];
  accountsAfter: ReadonlyMap<string, ChainAccount>;
  decimals: number;
  curvePool: TokenPool | null;
  ammPool: TokenPool;
}

const FOLDER = new URL('../../fixtures/damm/', import.meta.url);

/** Every history. Each call returns a fresh copy, which a test may change. */
export function readDammFixtures(): DammFixture[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { name, steps, supplyFacts, knownAddresses, accountsAfter } = JSON.parse(
        readFileSync(new URL(file, FOLDER), 'utf8'),
      );
      const known: KnownDammAddresses = knownAddresses;
      const token = { mintAddress: known.baseMint, decimals: supplyFacts.decimals };
      return {
        name,
        known,
        steps,
        accountsAfter: toAccounts(accountsAfter),
        decimals: supplyFacts.decimals,
        curvePool: known.pool === undefined ? null : { poolAddress: known.pool, ...token },
        ammPool: { venue: 'damm', poolAddress: known.ammPool, ...token },
      };
    });
}

/** The history whose name begins with `letter`. */
export function dammFixture(letter: string): DammFixture {
  const found = readDammFixtures().find(({ name }) => name.startsWith(`${letter}-`));
  if (found === undefined) throw new Error(`no fixture ${letter}`);
  return found;
}

/** Both pools of a token. */
export function poolsOf({ curvePool, ammPool }: DammFixture): PoolLookup {
  return lookup(curvePool === null ? [ammPool] : [curvePool, ammPool]);
}

export function lookup(pools: readonly TokenPool[]): PoolLookup {
  return new Map(pools.map((pool) => [pool.poolAddress, pool]));
}

export function toAccounts(
  recorded: Record<string, { owner: string; dataBase64: string }>,
): ReadonlyMap<string, ChainAccount> {
  return new Map(
    Object.entries(recorded).map(([address, { owner, dataBase64 }]) => [
      address,
      { owner, data: Buffer.from(dataBase64, 'base64') },
    ]),
  );
}
