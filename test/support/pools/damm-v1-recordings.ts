import { readdirSync, readFileSync } from 'node:fs';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import type { TokenPool } from '../../../src/indexer/decode/known-pools.ts';
import type { RecordedExecution } from '../recorded-histories.ts';
import type { RecordedTransaction } from './curve-fixtures.ts';
import { toAccounts } from './damm-fixtures.ts';

export interface DammV1Step {
  what: string;
  transaction: RecordedTransaction & RecordedExecution;
  /** The result of the program's `get_pool_info` after the step; absent in the steps that create the pool. */
  poolInfo?: { tokenARaw: string; tokenBRaw: string; unixSeconds: string };
  /** The accounts of the pool and of its share in the SOL vault, after the step. */
  accounts?: ReadonlyMap<string, ChainAccount>;
}

/** The token accounts of one side of a pool: its vault's, which other pools may share, and the protocol's fee
 * account. */
interface RecordedSide {
  tokenVault: string;
  protocolFee: string;
}

/** A recorded history of a DAMM v1 pool (test/fixtures/damm-v1). */
export interface DammV1Recording {
  name: string;
  pool: TokenPool;
  solIsA: boolean;
  sides: { sol: RecordedSide; token: RecordedSide };
  steps: DammV1Step[];
}

const FOLDER = new URL('../../fixtures/damm-v1/', import.meta.url);

export function readDammV1Recordings(): DammV1Recording[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { name, mint, decimals, pool, vaults, steps } = JSON.parse(
        readFileSync(new URL(file, FOLDER), 'utf8'),
      );
      const solIsA = name.endsWith('sol-is-token-a');
      return {
        name,
        pool: { venue: 'damm_v1', poolAddress: pool, mintAddress: mint, decimals },
        solIsA,
        sides: solIsA ? { sol: vaults.a, token: vaults.b } : { sol: vaults.b, token: vaults.a },
        steps: steps.map(({ accounts, ...step }: Record<string, unknown>) =>
          accounts === undefined
            ? step
            : { ...step, accounts: toAccounts(accounts as Parameters<typeof toAccounts>[0]) },
        ),
      };
    });
}

/** SOL in the pool after a step, reported by the program. */
export function solRawAfter({ solIsA }: DammV1Recording, { poolInfo }: DammV1Step): bigint | null {
  if (poolInfo === undefined) return null;
  return BigInt(solIsA ? poolInfo.tokenARaw : poolInfo.tokenBRaw);
}
