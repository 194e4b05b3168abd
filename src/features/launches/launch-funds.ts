import { SPL_TOKEN, SYSTEM_PROGRAM, TOKEN_2022, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { RENT_SYSVAR, readRent } from '../../chain/accounts/sysvars.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../chain/accounts/token-account.ts';
import { curvePoolShape } from '../../chain/accounts/virtual-pool.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../chain/node-trust/first-current-response.ts';
import { getAccounts } from '../../chain/rpc/account-calls.ts';
import { networkFee } from '../../chain/transactions/compute-budget.ts';
import type { NewPool } from '../../chain/transactions/launch-instruction.ts';
import { walletAccount } from './launch-plan.ts';

/** What a launch costs its creator beside what the chain fixes. */
export interface LaunchCosts {
  pool: NewPool;
  creator: string;
  computeUnits: number;
  /** Micro-lamports. */
  computeUnitPrice: bigint;
  /** Lamports that the first buy puts in; null without one. */
  buyLamports: bigint | null;
  tipLamports: bigint;
}

/** What the creator has, and what the launch takes at least: the config may ask for a fee of its own. In lamports. */
export interface LaunchShortfall {
  have: bigint;
  need: bigint;
}

const TIMEOUT_MS = 3_000;
const MINT_BYTES = 82;
/** The size of an account that keeps its owner, as Token-2022 opens them. */
const OWNED_ACCOUNT_BYTES = TOKEN_ACCOUNT_BYTES + 5;
/** A mint of Token-2022 with a pointer to its metadata, before the texts. */
const POINTED_MINT_BYTES = TOKEN_ACCOUNT_BYTES + 1 + 68;
/** An account of the token metadata program, and its fee. */
const METADATA_BYTES = 607;
const METADATA_FEE_LAMPORTS = 10_000_000n;
const SIGNATURES = 2n;

/** What the creator lacks, by what a node says now; null when nothing is lacking as far as is known. */
export async function findLaunchShortfall(
  nodes: CurrentReadDependencies,
  { pool, creator, computeUnits, computeUnitPrice, buyLamports, tipLamports }: LaunchCosts,
): Promise<LaunchShortfall | null> {
  const wrapped = await walletAccount(creator, WRAPPED_SOL_MINT, SPL_TOKEN);
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
      : buyLamports +
        rentOf(isToken2022 ? OWNED_ACCOUNT_BYTES : TOKEN_ACCOUNT_BYTES) +
        (isWrappedOpen ? 0n : vault);
  const fee = networkFee(computeUnits, computeUnitPrice, SIGNATURES);
  const need = fee + made + rentOf(curvePoolShape.bytesMin) + 2n * vault + buy + tipLamports;
  return have < need ? { have, need } : null;
}
