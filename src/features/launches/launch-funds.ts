import { SPL_TOKEN, SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../chain/node-trust/first-current-response.ts';
import type { RentSource } from '../../chain/rent-source.ts';
import { getAccounts } from '../../chain/rpc/account-calls.ts';
import { networkFee } from '../../chain/transactions/compute-budget.ts';
import { firstBuyRent, launchCosts } from '../../chain/transactions/launch-costs.ts';
import type { NewPool } from '../../chain/transactions/launch-instruction.ts';
import { type Shortfall, solShortfall } from '../../chain/transactions/shortfall.ts';
import { associatedAccount } from '../../chain/transactions/token-instructions.ts';

/** What decides how much SOL a launch takes. */
export interface LaunchNeeds {
  pool: NewPool;
  creator: string;
  /** Bytes of name, symbol and URI. */
  textBytes: number;
  /** Lamports that the config asks for. */
  poolCreationFee: bigint;
  computeUnits: number;
  /** Micro-lamports. */
  computeUnitPrice: bigint;
  /** Lamports of the first buy; null if there is none. */
  buyLamports: bigint | null;
  tipLamports: bigint;
}

export interface LaunchFundsDependencies extends CurrentReadDependencies {
  readRent: RentSource;
}

const TIMEOUT_MS = 3_000;
const NO_SIGNATURES = 0n;

/** The creator's missing lamports, by the current reports of a node; null when none are known to be missing. */
export async function findLaunchShortfall(
  dependencies: LaunchFundsDependencies,
  { pool, creator, textBytes, poolCreationFee, buyLamports, tipLamports, ...priority }: LaunchNeeds,
): Promise<Shortfall | null> {
  const wrapped = await associatedAccount(creator, WRAPPED_SOL_MINT, SPL_TOKEN);
  const [response, rentOf] = await Promise.all([
    firstCurrentResponse(dependencies, (rpc, minContextSlot) =>
      getAccounts(rpc, [creator, wrapped.address], TIMEOUT_MS, minContextSlot),
    ),
    dependencies.readRent(),
  ]);
  if (!response.ok) return null;
  const account = (address: string) => response.value.accounts.get(address) ?? null;
  const { lamports: have } = account(creator) ?? { lamports: 0n };
  if (have === null || rentOf === null) return null;
  const { tokenProgram } = pool;
  const costs = launchCosts({ tokenProgram, textBytes, poolCreationFee }, rentOf);
  const opened = firstBuyRent(tokenProgram, rentOf);
  const isWrappedOpen = (account(wrapped.address)?.owner ?? SYSTEM_PROGRAM) !== SYSTEM_PROGRAM;
  const buy = buyLamports === null ? 0n : buyLamports + opened.token + (isWrappedOpen ? 0n : opened.wrapped);
  const priorityFee = networkFee(priority.computeUnits, priority.computeUnitPrice, NO_SIGNATURES);
  const launch = costs.rent + costs.metadataFee + costs.signatureFee + costs.poolCreationFee;
  const need = launch + priorityFee + buy + tipLamports;
  return solShortfall(have, need);
}
