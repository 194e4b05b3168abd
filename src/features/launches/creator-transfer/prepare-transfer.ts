import { COMPUTE_BUDGET, SPL_TOKEN, TOKEN_2022 } from '../../../chain/accounts/programs.ts';
import { firstCurrentResponse } from '../../../chain/node-trust/first-current-response.ts';
import { type AccountsInSlot, type FundedAccount, getAccounts } from '../../../chain/rpc/account-calls.ts';
import {
  type BuildDependencies,
  type BuiltTransaction,
  buildTransaction,
} from '../../../chain/transactions/build-transaction.ts';
import { networkFee } from '../../../chain/transactions/compute-budget.ts';
import { transferPoolCreator } from '../../../chain/transactions/creator-transfer-instruction.ts';
import type { Instruction } from '../../../chain/transactions/instruction.ts';
import { boundedPrice, priceOf } from '../../../chain/transactions/priority.ts';
import { solShortfall } from '../../../chain/transactions/shortfall.ts';
import { tipInstructions } from '../../../chain/transactions/tip.ts';
import type { Database } from '../../../db/client.ts';
import type { ComposedIntent, IntentKeeper } from '../../../intents/composed-intent.ts';
import { composeSimulated } from '../../../intents/prepare/compose-simulated.ts';
import { atNodesOf, type SendingDependencies, type SendingOrder, takeTip } from '../../../intents/sending.ts';
import type { Sending } from '../../../intents/sending-schema.ts';
import { accountClient } from '../../../shared/gate.ts';
import { Problem } from '../../../shared/problem.ts';
import { findTokenPool } from './find-token-pool.ts';
import { claimableLamports, type PoolState, readPoolState } from './pool-state.ts';
import { refusedTransfer, simulationRefusal, unfundedTransfer } from './refusals.ts';

export interface TransferDependencies extends BuildDependencies, SendingDependencies {
  database: Database;
  intentKeeper: IntentKeeper;
}

export interface TransferRequest {
  accountId: string;
  /** The wallet of the key: the creator. */
  creatorWallet: string;
  newCreatorWallet: string;
  mintAddress: string;
  sending: SendingOrder;
}

/** A transfer that is ready to be stored. */
export interface PreparedTransfer {
  mintAddress: string;
  poolAddress: string;
  creatorWallet: string;
  newCreatorWallet: string;
  claimableLamports: bigint | null;
  claimableTokenRaw: bigint;
  slot: bigint;
  sending: Sending;
  intent: ComposedIntent;
}

const INTENT_KIND = 'creator_transfer';
/** Unit limit of a simulation: ten times the units of the compiled program. */
const MEASURED_WITH_UNITS = 200_000;
const TIMEOUT_MS = 3_000;

/**
 * Builds and simulates the transaction that gives a pool to another creator, or returns the problem that
 * prevents it. Runs before the database transaction opens, also for an attempt in parallel with the first, so
 * it never throws a problem.
 */
export async function prepareTransfer(
  request: TransferRequest,
  dependencies: TransferDependencies,
): Promise<PreparedTransfer | Problem> {
  const { accountId, creatorWallet, newCreatorWallet, mintAddress, sending } = request;
  if (newCreatorWallet === creatorWallet) return refusedWallet('is the creator already');
  const tip = takeTip(sending, dependencies);
  if (tip instanceof Problem) return tip;
  const token = await findTokenPool(dependencies.database, mintAddress);
  if (token === null) return new Problem('token_not_found');
  const { poolAddress } = token;
  if (poolAddress === null) return refusedTransfer('no_pool');
  const nodes = atNodesOf(sending, dependencies);
  const read = await readPool(poolAddress, request, nodes);
  if (read instanceof Problem) return read;
  const { pool, slot } = read;
  const transfer = await transferPoolCreator(
    { address: poolAddress, config: pool.configAddress },
    creatorWallet,
    newCreatorWallet,
  );
  const instructions = [transfer, ...tipInstructions(creatorWallet, tip)];
  const tipLamports = tip?.lamports ?? 0n;
  const terms = { accountId, creatorWallet, poolAddress, lamports: read.lamports, tipLamports };
  const built = await buildTransfer(instructions, terms, { pool, slot }, sending, nodes);
  if (built instanceof Problem) return built;
  const composed = composeSimulated(dependencies, built, {
    accountId,
    kind: INTENT_KIND,
    wallet: creatorWallet,
    mintAddress,
    sending,
    tip,
    allowedPrograms: [...new Set([COMPUTE_BUDGET, ...instructions.map(({ program }) => program)])],
  });
  return {
    mintAddress,
    poolAddress,
    creatorWallet,
    newCreatorWallet,
    claimableLamports: read.claimableLamports,
    claimableTokenRaw: pool.claimableTokenRaw,
    slot,
    ...composed,
  };
}

interface PoolReading {
  pool: PoolState;
  claimableLamports: bigint | null;
  /** What the creator's wallet holds; null where the node does not report it. */
  lamports: bigint | null;
  slot: bigint;
}

/** The pool with its creator's unclaimed fees, in one slot. The config's address follows from the pool. */
async function readPool(
  poolAddress: string,
  { creatorWallet, newCreatorWallet, mintAddress }: TransferRequest,
  nodes: TransferDependencies,
): Promise<PoolReading | Problem> {
  const first = await readAccounts(nodes, [poolAddress]);
  if (first instanceof Problem) return first;
  const known = readPoolState(first.accounts.get(poolAddress) ?? null, mintAddress);
  if (known === null) return refusedTransfer('no_pool');
  const { configAddress } = known;
  const addresses = [...new Set([poolAddress, configAddress, creatorWallet, newCreatorWallet])];
  const second = await readAccounts(nodes, addresses, first.slot);
  if (second instanceof Problem) return second;
  const account = (address: string) => second.accounts.get(address) ?? null;
  const pool = readPoolState(account(poolAddress), mintAddress);
  if (pool === null) return refusedTransfer('no_pool');
  if (pool.creatorWallet !== creatorWallet)
    return refusedTransfer('not_creator', { creatorWallet: pool.creatorWallet });
  if (pool.progress === 'migrating') return refusedTransfer('migrating');
  if (neverSigns(account(newCreatorWallet)))
    return refusedWallet('is a program, a mint or a token account, and could never claim the fees');
  return {
    pool,
    claimableLamports: claimableLamports(account(poolAddress), account(configAddress)),
    lamports: account(creatorWallet)?.lamports ?? null,
    slot: second.slot,
  };
}

/** Owners of accounts that nobody can sign for: a transfer to them could never be taken back. */
const unsignedOwners: ReadonlySet<string> = new Set([
  SPL_TOKEN,
  TOKEN_2022,
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
]);

function neverSigns(account: FundedAccount | null): boolean {
  return account !== null && unsignedOwners.has(account.owner);
}

async function readAccounts(
  nodes: TransferDependencies,
  addresses: readonly string[],
  slot = 0n,
): Promise<AccountsInSlot | Problem> {
  const read = await firstCurrentResponse(
    nodes,
    (rpc, minContextSlot) => getAccounts(rpc, addresses, TIMEOUT_MS, minContextSlot),
    slot,
  );
  return read.ok ? read.value : new Problem('chain_unavailable', { cause: read.failure });
}

interface TransferTerms {
  accountId: string;
  creatorWallet: string;
  poolAddress: string;
  lamports: bigint | null;
  tipLamports: bigint;
}

async function buildTransfer(
  instructions: readonly Instruction[],
  { accountId, creatorWallet, poolAddress, lamports, tipLamports }: TransferTerms,
  { pool, slot }: Pick<PoolReading, 'pool' | 'slot'>,
  { priority }: SendingOrder,
  dependencies: TransferDependencies,
): Promise<BuiltTransaction | Problem> {
  const priced = {
    computeUnitLimit: MEASURED_WITH_UNITS,
    computeUnitPrice: await priceOf(priority, [poolAddress], dependencies),
    priorityLamportsMax: priority.lamportsMax,
  };
  const build = await buildTransaction(
    dependencies,
    { version: 'v0', feePayer: creatorWallet, instructions, ...priced },
    { place: dependencies.swapGate.of(accountClient(accountId)), slot },
  );
  if (build.outcome === 'built') return build;
  if (build.outcome === 'unknown')
    return new Problem('chain_unavailable', { cause: build.failure ?? undefined });
  const need = networkFee(MEASURED_WITH_UNITS, boundedPrice(priced)) + tipLamports;
  const shortfall = lamports === null ? null : solShortfall(lamports, need);
  if (shortfall !== null) return unfundedTransfer(shortfall);
  return simulationRefusal(build.failure, pool.progress === 'migrated');
}

function refusedWallet(message: string): Problem {
  return new Problem('validation_failed', {
    errors: [{ path: '/body/newCreatorWallet', code: 'invalid_value', message }],
  });
}
