import { SPL_TOKEN, SYSTEM_PROGRAM, TOKEN_2022, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { RENT_SYSVAR, readRent } from '../../chain/accounts/sysvars.ts';
import { openedAccountBytes, TOKEN_ACCOUNT_BYTES } from '../../chain/accounts/token-account.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../chain/node-trust/first-current-response.ts';
import { curvePoolShape } from '../../chain/pools/curve/pool-account.ts';
import { getAccounts } from '../../chain/rpc/account-calls.ts';
import { networkFee } from '../../chain/transactions/compute-budget.ts';
import type { NewPool } from '../../chain/transactions/launch-instruction.ts';
import { type Shortfall, solShortfall } from '../../chain/transactions/shortfall.ts';
import { associatedAccount } from '../../chain/transactions/token-instructions.ts';

/** Costs of a launch for its creator, besides the fixed ones of the chain. */
export interface LaunchCosts {
  pool: NewPool;
  creator: string;
  computeUnits: number;
  /** Micro-lamports. */
  computeUnitPrice: bigint;
  /** Lamports of the first buy; null without one. */
  buyLamports: bigint | null;
  tipLamports: bigint;
}

const TIMEOUT_MS = 3_000;
const MINT_BYTES = 82;
/** The size of a Token-2022 mint with a metadata pointer, before the texts. */
const POINTED_MINT_BYTES = TOKEN_ACCOUNT_BYTES + 1 + 68;
/** The size of an account of the token metadata program. */
const METADATA_BYTES = 607;
const METADATA_FEE_LAMPORTS = 10_000_000n;
const SIGNATURES = 2n;

/**
 * The creator's missing lamports, by the current reports of a node; null when none are known to be missing. The
 * needed amount is the least that the launch costs: the config may have a fee of its own.
 */
export async function findLaunchShortfall(
  nodes: CurrentReadDependencies,
  { pool, creator, computeUnits, computeUnitPrice, buyLamports, tipLamports }: LaunchCosts,
): Promise<Shortfall | null> {
  const wrapped = await associatedAccount(creator, WRAPPED_SOL_MINT, SPL_TOKEN);
  const response = await firstCurrentResponse(nodes, (rpc, minContextSlot) =>
    getAccounts(rpc, [creator, wrapped.address, RENT_SYSVAR], TIMEOUT_MS, minContextSlot),
  );
  if (!response.ok) return null;
  const account = (address: string) => response.value.accounts.get(address) ?? null;
  const { lamports: have } = account(creator) ?? { lamports: 0n };
  const rentOf = readRent(account(RENT_SYSVAR));
  if (have === null || rentOf === null) return null;
  const isToken2022 = pool.tokenProgram === TOKEN_2022;
  const vault = rentOf(TOKEN_ACCOUNT_BYTES);
  const made = isToken2022
    ? rentOf(POINTED_MINT_BYTES)
    : rentOf(MINT_BYTES) + rentOf(METADATA_BYTES) + METADATA_FEE_LAMPORTS;
  const isWrappedOpen = (account(wrapped.address)?.owner ?? SYSTEM_PROGRAM) !== SYSTEM_PROGRAM;
  const buy =
    buyLamports === null
      ? 0n
      : buyLamports + rentOf(openedAccountBytes(pool.tokenProgram)) + (isWrappedOpen ? 0n : vault);
  const fee = networkFee(computeUnits, computeUnitPrice, SIGNATURES);
  const need = fee + made + rentOf(curvePoolShape.bytesMin) + 2n * vault + buy + tipLamports;
  return solShortfall(have, need);
}
