import { need, type Values } from '../../packages/client/src/cli/kit/command.ts';
import { choices, chosen, rawAmount } from '../../packages/client/src/cli/kit/option.ts';
import { createChainHead } from '../chain/head.ts';
import { type ClaimKind, claimKinds } from '../chain/pools/claims/claim.ts';
import { createRentSource } from '../chain/rent-source.ts';
import { createBlockhashSource } from '../chain/transactions/latest-blockhash.ts';
import { createPriorityFeeSource } from '../chain/transactions/priority-levels.ts';
import { createTipSource } from '../chain/transactions/tip.ts';
import { listPartnerWallets } from '../features/fees/claimable/list-partner-wallets.ts';
import {
  type PlanDependencies,
  type PlannedClaims,
  planClaims,
} from '../features/fees/claims/plan-claims.ts';
import { lamportsOf, toPreparedClaim } from '../features/fees/claims/record.ts';
import { automaticSending } from '../intents/sending.ts';
import { Gate } from '../shared/gate.ts';
import { createLogger } from '../shared/log.ts';
import { wait } from '../shared/loop.ts';
import { Problem } from '../shared/problem.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { claimsReader } from './claims-reader.ts';
import { type Command, CommandRefused } from './command.ts';
import { address } from './option.ts';

const PRICES_KEPT_MS = 2_000;
const BLOCKHASH_WAIT_MS = 10_000;
const BLOCKHASH_RETRY_MS = 250;

/** Prepares claims that the partner signs elsewhere (docs/operations/administration.md#fees). */
export const feesPrepare: Command = {
  name: 'fees prepare',
  summary: 'Prints unsigned transactions with which a wallet claims what it can; stores and sends nothing',
  options: {
    wallet: address('the wallet that claims', { ifUnset: 'the only partner of the tokens' }),
    kinds: choices('only these kinds', claimKinds, { default: 'all' }),
    'minimum-lamports': rawAmount('leaves out each claim that pays less SOL', 'lamports', { default: '0' }),
    'after-mint': address('goes on after this token: nextMint of an earlier call'),
  },
  examples: ['--wallet 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --minimum-lamports 1000000'],
  async run(dependencies, options) {
    const walletClaims = claimsReader(dependencies);
    const wallet = options.wallet ?? (await onlyPartner(dependencies));
    const plan = await withChain(dependencies, (chain) =>
      firstPlan({ ...chain, walletClaims }, wallet, options),
    );
    return describePlan(wallet, plan, dependencies.clock.now());
  },
};

async function onlyPartner({ database }: AdminDependencies): Promise<string> {
  const [wallet, ...others] = await listPartnerWallets(database);
  if (wallet === undefined) throw new CommandRefused('no wallet is the partner of a token');
  if (others.length > 0)
    throw new CommandRefused(`--wallet must name one of the partners: ${[wallet, ...others].join(', ')}`);
  return wallet;
}

/** Skips pages of tokens that pay nothing. */
async function firstPlan(
  dependencies: PlanDependencies,
  wallet: string,
  options: Values,
): Promise<PlannedClaims> {
  const kinds: ClaimKind[] = chosen(need(options, 'kinds'), claimKinds);
  const minimumLamports = BigInt(need(options, 'minimum-lamports'));
  const request = {
    accountId: 'administrator',
    wallet,
    mints: null,
    kinds,
    minimumLamports,
    sending: automaticSending,
  };
  let afterMint = options['after-mint'] ?? null;
  for (;;) {
    const plan = await planClaims(dependencies, { ...request, afterMint });
    if (!(plan instanceof Problem)) return plan;
    const next = plan.code === 'fee_claims_empty' ? plan.facts.context?.nextMint : null;
    if (typeof next !== 'string') throw plan;
    afterMint = next;
  }
}

/** Follows the chain while the work needs blockhashes and prices. */
async function withChain<Result>(
  { rpcs, clock, config }: AdminDependencies,
  work: (chain: Omit<PlanDependencies, 'walletClaims'>) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const chainHead = createChainHead(rpcs, clock, createLogger('admin', 'silent'));
  const following = chainHead.run(stop.signal);
  try {
    const blockhashes = createBlockhashSource({ rpcs, chainHead, clock });
    const deadline = AbortSignal.timeout(BLOCKHASH_WAIT_MS);
    while ((await blockhashes.latest()) === null) {
      if (deadline.aborted) throw new CommandRefused('no node gives a blockhash that can be used');
      await wait(BLOCKHASH_RETRY_MS, deadline);
    }
    return await work({
      rpcs,
      clock,
      blockhashes,
      readRent: createRentSource({ rpcs, clock }, chainHead),
      swapGate: new Gate({ runningMax: 1 }),
      priorityPrices: createPriorityFeeSource(rpcs, PRICES_KEPT_MS),
      maxComputeUnitPrice: BigInt(config.maxComputeUnitPrice),
      tips: createTipSource({
        accounts: [],
        protectedServices: [],
        defaultLamports: 0n,
        leastLamports: 0n,
        mostLamports: 0n,
      }),
      hasProtectedAddress: false,
    });
  } finally {
    stop.abort();
    await following;
  }
}

/** The transactions are fields and no table, because a table on a terminal cuts long values. */
function describePlan(wallet: string, { transactions, ...plan }: PlannedClaims, now: Date) {
  const numbered = transactions.map((planned, index) => ({ ...planned, number: String(index + 1) }));
  const all = transactions.flatMap(({ claims }) => claims);
  const soonest = Math.min(...transactions.map(({ transaction }) => transaction.expiresInMs));
  return {
    wallet,
    lamports: String(lamportsOf(all)),
    signBefore: new Date(now.getTime() + soonest),
    nextMint: plan.nextMint,
    transactions: Object.fromEntries(
      numbered.map(({ number, claims, transaction, ...costs }) => [
        number,
        {
          lamports: String(lamportsOf(claims)),
          networkFeeLamports: String(costs.networkFeeLamports),
          rentLamports: String(costs.rentLamports),
          lastValidBlockHeight: String(transaction.lastValidBlockHeight),
          transaction: Buffer.from(transaction.transaction).toString('base64'),
        },
      ]),
    ),
    claims: numbered.flatMap(({ number, claims }) =>
      claims.map((claim) => ({ transaction: number, ...toPreparedClaim(claim) })),
    ),
    leftOut: plan.leftOut.map(({ claim, reason, programError }) => ({
      ...claim,
      reason,
      error: programError?.name ?? programError?.number ?? null,
    })),
    remaining: plan.remaining,
    unread: plan.unread.map(({ mintAddress, parts }) => ({ mintAddress, parts: parts.join(' ') })),
  };
}
